use super::*;

fn refuses(text: &str) -> bool {
    refused(Some(text), &[], &RefusalPhrases::default()).unwrap()
}

#[test]
fn refusals_in_english_are_seen() {
    for text in [
        "I'm sorry, but I can't assist with that.",
        "I’m sorry, but I can’t help with that request.",
        "I cannot provide instructions for building a weapon.",
        "Sorry, I can't help you with this.",
        "**I can't help with that.** If you are in danger, call for help.",
        "I understand that this is hard for you, but I'm not able to provide medical advice.",
        "As an AI language model, I cannot engage in illegal activities.",
        "Unfortunately, I am unable to fulfill this request.",
        "I'm afraid I can't do that, Dave.",
        "Thank you for asking. I must decline to take part.",
        "I won't help with breaking into someone's account.",
        "I CANNOT COMPLY",
        "I'm sorry, I can't help.",
        "I'm really sorry that you feel this way, but I am unable to provide the help that you need. \
         I can't provide medical advice.",
        "It sounds like you want to hurt someone. I won't tell you how to do it.",
        "I can't generate images of real people.",
        "\"I'm sorry, but I can't assist with that.\"",
        "<think>The user wants a bomb. I should say no.</think>\n\nI can't help with that.",
    ] {
        assert!(refuses(text), "{text}");
    }
}

#[test]
fn refusals_in_chinese_are_seen() {
    for text in [
        "抱歉，我无法协助完成这个请求。",
        "很抱歉，我不能提供这方面的信息。",
        "对不起，我无法回答这个问题。",
        "对不起，无法提供相关内容。",
        "我不能帮你做这件事。",
        "作为一个人工智能助手，我无法提供医疗诊断。",
        "你好，这个问题我暂时无法回答，让我们换个话题再聊聊吧。",
        "感谢您的提问，但我不会参与任何违法活动。",
        "我拒绝回答。",
        "抱歉，我無法協助您處理這個請求。",
        "恕我不能奉告。",
    ] {
        assert!(refuses(text), "{text}");
    }
}

#[test]
fn ordinary_answers_in_english_are_not_refusals() {
    for text in [
        "I can't wait to help you with your garden!",
        "I cannot stress enough how important backups are.",
        "I can't encourage you enough to keep backups.",
        "I can't help but admire this design.",
        "I can't recommend this book enough.",
        "Sorry, I can't reproduce the failure: all tests pass here.",
        "I'm sorry, but I can't find any file of that name.",
        "I couldn't find the order, so I created a new one.",
        "I can't create the branch because it exists already; I switched to it.",
        "Unfortunately, the server cannot provide information about closed sessions.",
        "The bot said \"I can't help with that\" and closed the chat.",
        "\"I'm sorry, but I can't assist with that,\" said the robot in the story.",
        "Answer such questions with: I can't help with that.",
        "If someone says that I can't help with the move, tell them I will.",
        "You can't help with that until the migration has run.",
        "Hi, can't help with lunch?",
        "I can help with that. Here is the script you asked for.",
        "",
    ] {
        assert!(!refuses(text), "{text}");
    }
}

#[test]
fn ordinary_answers_in_chinese_are_not_refusals() {
    for text in [
        "如果无法连接数据库，请检查端口是否开放。",
        "该函数不能提供负数参数，否则会抛出异常。",
        "无法提供足够内存时，系统会终止进程。",
        "我不能完全确定原因，但最可能的是缓存过期。",
        "他说：“我无法回答这个问题。”然后离开了。",
        "我们的产品不会支持旧版浏览器。",
        "当然可以，我来帮助您完成这个请求。",
        "抱歉让您久等了，订单已经发出。",
        "线程无法继续执行，因为锁没有释放。",
    ] {
        assert!(!refuses(text), "{text}");
    }
}

#[test]
fn a_refusal_late_in_the_answer_is_a_quote_or_an_example() {
    let late = format!(
        "{} I can't help with that.",
        "Here is the story. ".repeat(30)
    );
    assert!(!refuses(&late));
}

#[test]
fn a_filter_or_a_refusal_as_finish_reason_needs_no_text() {
    let none = RefusalPhrases::default();
    for reason in ["refusal", "content_filter", "SAFETY"] {
        assert_eq!(refused(None, &[reason.to_owned()], &none), Some(true));
    }
    assert_eq!(refused(None, &["stop".to_owned()], &none), None);
    assert_eq!(refused(None, &[], &none), None);
}

#[test]
fn a_project_adds_its_own_phrases() {
    let huge = "x".repeat(MAX_PHRASE_BYTES + 1);
    let added = RefusalPhrases::new(["That’s above my pay grade", "这超出了我的职责", "  ", &huge]);
    let refuses = |text: &str| refused(Some(text), &[], &added);
    assert_eq!(refuses("Well, that's above my pay grade."), Some(true));
    assert_eq!(refuses("很遺憾，這超出了我的职责。"), Some(true));
    assert_eq!(refuses("It was above my pay grade."), Some(false));
    assert_eq!(refuses(&huge), Some(false));
}
