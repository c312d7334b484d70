//! The context of a generation in a few bytes: to see that it changed, and by how much.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use crate::quality::{sample, terms};

/// Terms in one shingle: two keep some of the order, and one changed word spoils only two of them.
const SHINGLE: usize = 2;

/// Hash of a system message, 16 hexadecimal digits: XXH3 (64 bit, seed 0) of all its UTF-8 bytes, the
/// same on every machine and in every version.
pub fn system_hash(text: &str) -> String {
    format!("{:016x}", XxHash3_64::oneshot(text.as_bytes()))
}

/// Digest of an input of which few bits differ where the texts differ little: `SimHash` (Charikar 2002),
/// 64 bits, over pairs of terms (words, or characters of a script without spaces). Texts that have
/// nothing in common differ in about 32 bits. Shown as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct InputDigest(u64);

impl From<InputDigest> for String {
    fn from(digest: InputDigest) -> Self {
        digest.to_string()
    }
}

impl TryFrom<String> for InputDigest {
    type Error = std::num::ParseIntError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl InputDigest {
    /// Of a text's first and last 32 KiB; `None` when there is no word in it.
    pub fn of(text: &str) -> Option<Self> {
        let mut ballot = Ballot::default();
        for part in sample::head_and_tail(text) {
            let terms = terms::hashes(part);
            let size = SHINGLE.min(terms.len()).max(1);
            let mut shingles = terms.windows(size).map(terms::join);
            loop {
                let mut eight = [0; 8];
                let mut count = 0;
                for (place, shingle) in eight.iter_mut().zip(&mut shingles) {
                    *place = shingle;
                    count += 1;
                }
                ballot.add(&eight, count);
                if count < 8 {
                    break;
                }
            }
        }
        (ballot.all > 0).then(|| InputDigest(ballot.majority()))
    }

    /// Bits in which two digests differ, 0 to 64; up to 8 say that the texts are nearly the same.
    pub fn distance(self, other: Self) -> u32 {
        (self.0 ^ other.0).count_ones()
    }
}

/// Counts how often each bit of the hashes is set: eight hashes at a time are added up by full adders of
/// 64 places (Harley and Seal), so that only the carries into the eights are counted one by one.
#[derive(Default)]
struct Ballot {
    all: u32,
    ones: u64,
    twos: u64,
    fours: u64,
    /// How many eights each bit has.
    eights: [[u32; 8]; 8],
    /// For each byte of the hashes eight counts of at most 255, a byte each, not yet in `eights`.
    recent: [u64; 8],
    /// What was added to `recent`.
    recent_adds: u8,
}

/// A byte's bits, each in a byte of its own.
const SPREAD: [u64; 256] = {
    let mut spread = [0_u64; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            spread[byte] |= ((byte >> bit) as u64 & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    spread
};

impl Ballot {
    /// Adds the first `count` of the hashes; the others are 0.
    fn add(&mut self, hashes: &[u64; 8], count: u32) {
        let [a, b, c, d, e, f, g, h] = *hashes;
        let (ones, ab) = full_adder(self.ones, a, b);
        let (ones, cd) = full_adder(ones, c, d);
        let (ones, ef) = full_adder(ones, e, f);
        let (ones, gh) = full_adder(ones, g, h);
        let (twos, abcd) = full_adder(self.twos, ab, cd);
        let (twos, efgh) = full_adder(twos, ef, gh);
        let (fours, eights) = full_adder(self.fours, abcd, efgh);
        (self.ones, self.twos, self.fours) = (ones, twos, fours);
        for (recent, byte) in self.recent.iter_mut().zip(eights.to_le_bytes()) {
            *recent += SPREAD[usize::from(byte)];
        }
        self.all += count;
        self.recent_adds += 1;
        if self.recent_adds == u8::MAX {
            self.settle();
        }
    }

    fn settle(&mut self) {
        for (eights, recent) in self.eights.iter_mut().zip(&mut self.recent) {
            for (count, more) in eights.iter_mut().zip(recent.to_le_bytes()) {
                *count += u32::from(more);
            }
            *recent = 0;
        }
        self.recent_adds = 0;
    }

    /// The bits that more than half of the hashes have.
    fn majority(mut self) -> u64 {
        self.settle();
        let eights = self.eights.iter().flatten().enumerate();
        eights.fold(0, |bits, (bit, &eights)| {
            let of = |sums: u64| (sums >> bit & 1) as u32;
            let set = 8 * eights + 4 * of(self.fours) + 2 * of(self.twos) + of(self.ones);
            bits | u64::from(2 * set > self.all) << bit
        })
    }
}

/// The sums and the carries of three bits in each of 64 places.
fn full_adder(a: u64, b: u64, c: u64) -> (u64, u64) {
    let either = a ^ b;
    (either ^ c, (a & b) | (either & c))
}

impl fmt::Display for InputDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for InputDigest {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        u64::from_str_radix(text, 16).map(InputDigest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENGLISH: &str = "You are a careful assistant of an insurance company. A customer asks \
        about a claim after a storm damaged the roof of a house in the countryside. Answer in three \
        short paragraphs, name the documents that are needed, say how long the examination takes, \
        and offer a call with a specialist. Never promise a payment before the examination is done. \
        The customer wrote: the hail last Tuesday broke eleven tiles and water came into the attic, \
        where old photographs and a carpet were spoiled; the neighbours had the same trouble, and \
        the roofer can only come in two weeks.";
    const RECIPE: &str = "Translate this recipe into metric units and keep its tone. Take two cups of \
        flour, half a stick of butter, one pinch of salt and a quart of buttermilk; knead until \
        smooth, let it rest beneath a towel, roll it thin, cut rounds with a glass and bake them in \
        a hot oven until golden. Serve with honey, jam or sharp cheese, and do not tell grandmother \
        that the oven was electric, because she believes that only a wood fire makes them rise.";
    const CHINESE: &str = "你是一家保险公司的客服助理。客户来信说，上周二的冰雹打碎了十一片屋瓦，雨水流进阁楼，\
        旧照片和地毯都被泡坏了。请用三段简短的话回答，说明需要哪些材料、审核需要多长时间，并主动提出安排专员致电。\
        在审核结束之前，不要承诺任何赔付金额。邻居家也遇到了同样的麻烦，而修屋顶的师傅两个星期以后才能过来。";
    const CODE: &str = "请把下面的函数改写成异步版本，保留原有的错误处理方式，并为每一个公开接口补充文档注释。\
        数据库连接池最多允许二十个并发连接，超时以后要重试三次，每次等待的时间翻倍。\
        如果缓存中已经存在相同的键，就直接返回缓存里的结果，不再访问后端服务。";

    fn distance(a: &str, b: &str) -> u32 {
        InputDigest::of(a)
            .unwrap()
            .distance(InputDigest::of(b).unwrap())
    }

    #[test]
    fn nearly_the_same_texts_are_close() {
        assert!(distance(ENGLISH, &ENGLISH.replace("eleven", "twelve")) <= 8);
        assert!(distance(ENGLISH, &ENGLISH.replace(". ", ".\n\n").to_uppercase()) == 0);
        assert!(distance(ENGLISH, &format!("{ENGLISH} Thank you!")) <= 8);
        assert!(distance(CHINESE, &CHINESE.replace("上周二", "上周三")) <= 8);
        assert!(distance(CHINESE, &format!("{CHINESE}谢谢！")) <= 8);
    }

    #[test]
    fn texts_with_nothing_in_common_are_far_apart() {
        let texts = [ENGLISH, RECIPE, CHINESE, CODE];
        for (index, a) in texts.iter().enumerate() {
            for b in &texts[index + 1..] {
                let apart = distance(a, b);
                assert!((20..=44).contains(&apart), "{apart}: {a} | {b}");
            }
        }
    }

    #[test]
    fn a_digest_is_read_back_from_its_text() {
        let digest = InputDigest::of(CHINESE).unwrap();
        assert_eq!(digest.to_string().len(), 16);
        assert_eq!(digest.to_string().parse(), Ok(digest));
    }

    #[test]
    fn a_text_without_words_has_no_digest() {
        assert_eq!(InputDigest::of(" \n---"), None);
        assert!(InputDigest::of("word").is_some());
    }

    #[test]
    fn the_middle_of_a_huge_input_is_not_looked_at() {
        let huge = |middle: &str| format!("{}{middle}{}", ENGLISH.repeat(200), CHINESE.repeat(200));
        assert_eq!(distance(&huge("one"), &huge("two")), 0);
    }

    /// Digests are stored: whoever changes these numbers changes what is stored.
    #[test]
    fn hashes_stay_the_same_for_ever() {
        assert_eq!(system_hash(""), "2d06800538d394c2");
        let digest = InputDigest::of("Hello, world").unwrap();
        assert_eq!(digest.to_string(), "2d1e631dcc85aaa9");
    }
}
