//! Phrases as `super::opening::plain` leaves them: lower case, straight apostrophes, simplified
//! characters, ASCII punctuation.

/// Ways to say that one cannot or will not.
const MODALS: [&str; 20] = [
    "i can't",
    "i cannot",
    "i can not",
    "i'm unable to",
    "i am unable to",
    "i'm not able to",
    "i am not able to",
    "i won't be able to",
    "i will not be able to",
    "i won't",
    "i will not",
    "i'm not going to",
    "i am not going to",
    "i'm not allowed to",
    "i am not allowed to",
    "i'm not permitted to",
    "i am not permitted to",
    "i'm not programmed to",
    "we can't",
    "we cannot",
];

/// Acts that are asked of a model. Each has an object where the verb alone is also said of a tool that
/// failed (`I can't create the branch`) or in praise (`I can't recommend it enough`).
const ACTS: [&str; 68] = [
    "help with",
    "help you",
    "help.",
    "help create",
    "help write",
    "be of help",
    "assist",
    "comply",
    "fulfill",
    "fulfil",
    "honor that request",
    "accommodate",
    "engage in",
    "engage with",
    "participate in",
    "take part in",
    "facilitate",
    "condone",
    "do that",
    "do this for",
    "answer that",
    "answer this",
    "answer your",
    "answer questions about",
    "respond to that",
    "respond to this request",
    "discuss",
    "support that",
    "support this request",
    "continue with this",
    "continue this conversation",
    "process this request",
    "complete this request",
    "provide instructions",
    "provide information",
    "provide guidance",
    "provide assistance",
    "provide advice",
    "provide medical",
    "provide legal",
    "provide financial",
    "provide that",
    "provide you with",
    "provide personal",
    "provide any",
    "provide details",
    "provide specific",
    "provide step",
    "offer guidance",
    "offer instructions",
    "share instructions",
    "share personal",
    "give you instructions",
    "give medical",
    "give legal",
    "give financial",
    "tell you how to",
    "show you how to",
    "teach you how to",
    "give instructions",
    "offer advice",
    "write that",
    "create content",
    "create images",
    "generate images",
    "produce content",
    "generate content",
    "generate that",
];

/// Whole phrases of refusal.
const ENGLISH: [&str; 25] = [
    "i must decline",
    "i have to decline",
    "i need to decline",
    "i respectfully decline",
    "i'll have to decline",
    "i'm going to have to decline",
    "i decline to",
    "i refuse to",
    "i must refuse",
    "i have to refuse",
    "i'm not comfortable",
    "i am not comfortable",
    "i don't feel comfortable",
    "i do not feel comfortable",
    "i'm sorry but i can't do",
    "i'm sorry but i cannot do",
    "i'm sorry, i can't do",
    "i'm sorry, i cannot do",
    "that's not something i can help",
    "this is not something i can help",
    "that's something i can't",
    "that is something i cannot",
    "it would be inappropriate for me to",
    "it wouldn't be appropriate for me to",
    "my guidelines prevent me",
];

const CHINESE_MODALS: [&str; 9] = [
    "无法",
    "不能",
    "不可以",
    "没办法",
    "没有办法",
    "不会",
    "不便",
    "暂时无法",
    "暂时不能",
];

const CHINESE_ACTS: [&str; 33] = [
    "提供",
    "协助",
    "帮助",
    "帮你",
    "帮您",
    "为你",
    "为您",
    "给你",
    "给您",
    "向你",
    "向您",
    "回答",
    "回应",
    "满足",
    "完成这",
    "完成您",
    "完成你",
    "生成这",
    "生成此",
    "生成相关",
    "讨论",
    "参与",
    "给出",
    "透露",
    "执行这",
    "执行此",
    "继续",
    "分享",
    "编写这",
    "创作",
    "告诉你",
    "告诉您",
    "支持这",
];

/// What stands before the modal: the model itself, or an apology with the subject left out.
const CHINESE_SUBJECTS: [&str; 8] = [
    "我",
    "我也",
    "抱歉,",
    "抱歉",
    "对不起,",
    "对不起",
    "不好意思,",
    "很遗憾,",
];

const CHINESE: [&str; 18] = [
    "我拒绝",
    "我必须拒绝",
    "我不得不拒绝",
    "恕我无法",
    "恕我不能",
    "恕难从命",
    "恕无法",
    "我没有办法协助",
    "这个问题我无法回答",
    "这个问题我不能回答",
    "这个问题我暂时无法回答",
    "您的问题我无法回答",
    "该问题无法回答",
    "此问题无法回答",
    "你的请求违反",
    "您的请求违反",
    "让我们换个话题",
    "让我们聊点别的",
];

/// Every phrase that we know.
pub(super) fn phrases() -> impl Iterator<Item = String> {
    let english = MODALS
        .iter()
        .flat_map(|modal| ACTS.iter().map(move |act| format!("{modal} {act}")));
    let chinese = CHINESE_SUBJECTS.iter().flat_map(|subject| {
        CHINESE_MODALS.iter().flat_map(move |modal| {
            CHINESE_ACTS
                .iter()
                .map(move |act| format!("{subject}{modal}{act}"))
        })
    });
    let whole = ENGLISH.iter().chain(&CHINESE);
    english
        .chain(chinese)
        .chain(whole.map(|&phrase| phrase.to_owned()))
}

/// Pieces of which every phrase has one.
pub(super) fn heads() -> impl Iterator<Item = &'static str> {
    let modals = MODALS.iter().chain(&CHINESE_MODALS);
    modals.chain(&ENGLISH).chain(&CHINESE).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::refusal::opening::plain;

    #[test]
    fn every_phrase_has_a_head() {
        for phrase in phrases() {
            assert!(heads().any(|head| phrase.contains(head)), "{phrase}");
        }
    }

    #[test]
    fn every_phrase_is_written_as_openings_are() {
        for phrase in phrases() {
            assert_eq!(plain(&phrase), phrase);
        }
    }
}
