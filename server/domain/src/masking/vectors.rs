//! What each detector finds, and what comes near it.

use super::Detector;
use super::tests::{masked, masker};

fn check(detector: Detector, found: &[&str], near: &[&str]) {
    let masker = masker([detector]);
    let mark = detector.mark();
    for text in found {
        let out = masked(&masker, text);
        assert!(
            out.contains(&mark),
            "{detector} does not find {text:?}: {out:?}"
        );
    }
    for text in near {
        assert_eq!(masked(&masker, text), *text, "{detector} finds something");
    }
    assert!(
        found.len() >= 15 && near.len() >= 15,
        "{detector}: {} {}",
        found.len(),
        near.len()
    );
}

#[test]
fn email() {
    check(
        Detector::Email,
        &[
            "alice@example.com",
            "Write to alice.b+tag@mail.example.co.uk.",
            "<alice@example.com>",
            "联系alice@example.com谢谢",
            "alice＠example．com",
            "ａｌｉｃｅ@example.com",
            "al\u{200b}ice@exam\u{200b}ple.com",
            r"alice\u0040example.com",
            r"alice\\u0040example.com",
            "alice%40example.com",
            "alice&#64;example.com",
            "alice&#x40;example.com",
            "mailto:alice_b-c@example.cn",
            "o'neil@example.ie",
            "1234567@qq.com",
            "a@xn--fiqs8s.xn--fiqs8s",
            "user=alice@example.com&x=1",
            "alice@example.com,bob@example.org",
            r"alice\x40example.com",
        ],
        &[
            "alice@localhost",
            "@alice",
            "alice@",
            "@param name",
            "a @ b.com",
            "alice at example.com",
            "npm i react@18.2.0",
            "user@host:22",
            "x@y",
            "x@1.2",
            "@scope/package@1.0.0",
            "foo@.com",
            "foo@-bar",
            "see @ example.com",
            "git@[::1]",
            "5@3.50",
        ],
    );
}

#[test]
fn cn_mobile() {
    check(
        Detector::CnMobile,
        &[
            "13812345678",
            "手机13812345678。",
            "138-1234-5678",
            "138 1234 5678",
            "138.1234.5678",
            "+86 138 1234 5678",
            "+8613812345678",
            "008613812345678",
            "86-13812345678",
            "(+86)19912345678",
            "１３８１２３４５６７８",
            "138\u{200b}1234\u{200b}5678",
            "tel: 17012345678",
            "电话：１３８－１２３４－５６７８",
            r"\u0031\u0033812345678",
            "138-12-34-56-78",
            "16612345678,15512345678",
        ],
        &[
            "12812345678",
            "1381234567",
            "138123456789",
            "0.13812345678",
            "13812345678.55",
            "a13812345678",
            "13812345678b",
            "550e8400-e29b-41d4-a716-138123456789",
            "1700000000000",
            "id_13812345678",
            "10123456789",
            "1 3 8 1 2 3 4 5 6 7 8",
            "2026-12-01 13:81:23",
            "138,123,456,78",
            "$11.50",
            "23812345678",
        ],
    );
}

#[test]
fn phone() {
    check(
        Detector::Phone,
        &[
            "+14155552671",
            "+1 415 555 2671",
            "+1 (415) 555-2671",
            "+1-415-555-2671",
            "+44 20 7946 0958",
            "+49 30 901820",
            "+33 1 23 45 67 89",
            "+81-3-1234-5678",
            "+852 2345 6789",
            "+886 912 345 678",
            "+65 6123 4567",
            "+61 2 9374 4000",
            "call +4930901820 now",
            "＋１４１５５５５２６７１",
            "%2B14155552671",
            "+91 98765 43210",
            "+1.415.555.2671",
        ],
        &[
            "4155552671",
            "415-555-2671",
            "+12345",
            "+12345678",
            "1+14155552671",
            "a+14155552671",
            "+01234567890",
            "++14155552671",
            "2+2=4",
            "+1 2",
            "1234567890123456789",
            "+1234567890123456",
            "UTC+08:00",
            "+100%",
            "x=+123",
            "C++20230101123",
        ],
    );
}

#[test]
fn cn_resident_id() {
    check(
        Detector::CnResidentId,
        &[
            "11010519491231002X",
            "11010519491231002x",
            "440524188001010014",
            "身份证11010519491231002X号",
            "110105 19491231 002X",
            "110105-19491231-002X",
            "440524 1880 0101 0014",
            "１１０１０５１９４９１２３１００２Ｘ",
            "110105\u{200b}19491231\u{200b}002X",
            "id: 440524188001010014.",
            "(440524188001010014)",
            "440524188001010014,11010519491231002X",
            r"\u0034\u0034\u0030524188001010014",
            "\t440524188001010014\n",
            "#440524188001010014#",
            "440524-188001010014",
        ],
        &[
            "110105194912310021",
            "440524188001010015",
            "440524188013010014",
            "440524188002300014",
            "990524188001010014",
            "44052418800101001",
            "4405241880010100144",
            "11010519491231002",
            "11010519491231002Y",
            "a440524188001010014",
            "440524188001010014b",
            "0.440524188001010014",
            "000000000000000000",
            "123456789012345678",
            "110105.19491231",
            "44052418800101001X",
        ],
    );
}

#[test]
fn bank_card() {
    check(
        Detector::BankCard,
        &[
            "4111111111111111",
            "4111 1111 1111 1111",
            "4111-1111-1111-1111",
            "5555555555554444",
            "2223003122003222",
            "378282246310005",
            "3782 822463 10005",
            "6011111111111117",
            "3530111333300000",
            "30569309025904",
            "6222021234567894",
            "6222 0212 3456 7894",
            "６２２２０２１２３４５６７８９４",
            "卡号6222021234567894，",
            "4012888888881881",
            "4222222222222",
            "4111\u{200b}1111\u{200b}1111\u{200b}1111",
        ],
        &[
            "4111111111111112",
            "1111111111111117",
            "411111111111111",
            "41111111111111111",
            "9111111111111111",
            "0.4111111111111111",
            "x4111111111111111",
            "4111111111111111x",
            "1234567890123456",
            "1700000000000000000",
            "1764547200000000000",
            "0000000000000000",
            "4111 1111 1111",
            "411-11111-1111-1111",
            "4111,1111,1111,1111",
            "20261201123456789",
        ],
    );
}

#[test]
fn ip_address() {
    check(
        Detector::IpAddress,
        &[
            "192.168.1.20",
            "from 8.8.8.8.",
            "http://10.0.0.1:8080/x",
            "[203.0.113.7]",
            "203.0.113.7/24",
            "１９２．１６８．１．２０",
            "客户端203.0.113.7访问",
            "2001:db8::1",
            "2001:0db8:85a3:0000:0000:8a2e:0370:7334",
            "[2001:db8::1]:443",
            "fe80::1ff:fe23:4567:890a",
            "::ffff:192.0.2.128",
            "64:ff9b::192.0.2.33",
            "ip=203.0.113.7,",
            "203.0.113.7, 203.0.113.8",
            "fe80::1%eth0",
        ],
        &[
            "127.0.0.1",
            "0.0.0.0",
            "::1",
            "1.2.3",
            "1.2.3.4.5",
            "256.1.1.1",
            "v1.2.3.4",
            "version 1.2.3.4",
            "Chrome/120.0.0.0 Safari/537.36",
            "version: 10.0.0.1",
            "12:34:56",
            "aa:bb:cc:dd:ee:ff",
            "std::net::Ipv4Addr",
            "a::b",
            "dead::beef",
            "1.2.3.4a",
            "2026-12-01T12:34:56.789",
            "::",
        ],
    );
}

#[test]
fn secret() {
    let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P";
    let pem = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\n-----END PRIVATE KEY-----";
    let cut = "-----BEGIN RSA PRIVATE KEY-----\nMIIEvQIBADANBg";
    check(
        Detector::Secret,
        &[
            "sk-abcdefghijklmnop1234",
            "sk-proj-abc123def456ghi789jkl",
            "sk-ant-api03-abc123def456ghi789",
            "pk-lf-12345678-1234-1234-1234-123456789012",
            "sk-lf-12345678-1234-1234-1234-123456789012",
            "pk-tx-0123456789abcdef0123",
            "ghp_0123456789abcdefghijklmnopqrstuvwxyz",
            "github_pat_0123456789abcdefghijklmn",
            "AKIAIOSFODNN7EXAMPLE",
            "LTAI5tAbCdEf12345678",
            "xoxb-1234567890-abcdef",
            "glpat-abcdefghij0123456789",
            "AIzaSyA0123456789abcdefghijklmnopqrstuv",
            "hf_abcdefghij0123456789abcdefghij",
            "Authorization: Bearer abcdef0123456789abcdef",
            "Authorization: Basic YWxhZGRpbjpvcGVuc2VzYW1lMQ==",
            "sk_live_0123456789abcdefgh",
            jwt,
            pem,
            cut,
            "ｓｋ-abcdefghijklmnop1234",
        ],
        &[
            "sk-learn",
            "sk-learn-is-a-library-for-python",
            "task-0123456789abcdefghij",
            "AKIA",
            "AKIAIOSFODNN7",
            "ghp_short",
            "Bearer of bad news everywhere",
            "Bearer tokens",
            "basic understanding",
            "eyJhbGciOiJIUzI1NiJ9",
            "-----BEGIN CERTIFICATE-----",
            "-----BEGIN PUBLIC KEY-----",
            "xoxo",
            "0123456789abcdef0123456789abcdef",
            "550e8400-e29b-41d4-a716-446655440000",
            "pk-12345",
            "bearer",
        ],
    );
}
