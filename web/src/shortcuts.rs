//! Every key that does something, in the order in which `?` lists them. What the keys do is in
//! `assets/js`; a test holds this table against it.

use crate::i18n::text;

/// Keys that belong together.
pub(crate) struct Group {
    /// Where they work; a key of the translations.
    pub(crate) title: &'static str,
    /// Keys with what they do.
    pub(crate) keys: &'static [Shortcut],
}

/// One or two keys.
pub(crate) struct Shortcut {
    /// What is written on them.
    pub(crate) keys: &'static [&'static str],
    /// What they do; a key of the translations.
    pub(crate) label: &'static str,
}

const fn key(keys: &'static [&'static str], label: &'static str) -> Shortcut {
    Shortcut { keys, label }
}

/// The table.
pub(crate) static GROUPS: [Group; 7] = [
    Group {
        title: text!("On every page"),
        keys: &[
            key(&["Ctrl K", "⌘ K"], text!("Commands and pages")),
            key(&["/"], text!("Search")),
            key(&["?"], text!("This list")),
            key(&["Esc"], text!("Close, or one level up")),
            key(&["g o"], text!("Overview")),
            key(&["g t"], text!("Traces")),
            key(&["g p"], text!("Prompts")),
            key(&["g l"], text!("Playground")),
            key(&["g d"], text!("Datasets")),
            key(&["g s"], text!("Sessions")),
            key(&["g u"], text!("Users")),
            key(&["g m"], text!("Costs")),
            key(&["g r"], text!("Evaluators")),
            key(&["g q"], text!("Annotation")),
            key(&["g v"], text!("Serving")),
            key(&["g c"], text!("Correlation")),
            key(&["g i"], text!("Incidents")),
            key(&["g e"], text!("Impact")),
            key(&["g a"], text!("Alerts")),
            key(&["g b"], text!("Dashboards")),
            key(&["g ,"], text!("Settings")),
        ],
    },
    Group {
        title: text!("In lists"),
        keys: &[
            key(&["j", "k"], text!("Down and up in lists and trees")),
            key(&["Enter"], text!("Open")),
            key(&["x"], text!("Select a row")),
            key(&["f"], text!("Add a filter")),
        ],
    },
    Group {
        title: text!("In a trace"),
        keys: &[
            key(&["ArrowUp", "ArrowDown"], text!("Up and down in the tree")),
            key(&["h", "l"], text!("Fold and unfold in a tree")),
            key(
                &["ArrowLeft", "ArrowRight"],
                text!("Fold and unfold in a tree"),
            ),
            key(&["[", "]"], text!("Newer and older trace")),
            key(&["y"], text!("Copy the id or the snippet")),
        ],
    },
    Group {
        title: text!("In a session"),
        keys: &[
            key(&["Space"], text!("Play and pause")),
            key(&["ArrowLeft", "ArrowRight"], text!("A turn back and on")),
            key(&["n"], text!("Next bad turn")),
            key(&["!"], text!("First bad turn")),
        ],
    },
    Group {
        title: text!("In a queue"),
        keys: &[
            key(&["1–9"], text!("Choose an answer")),
            key(&["j", "k"], text!("The question below and above")),
            key(&["Enter"], text!("Done, and the next")),
            key(&["s"], text!("Skip")),
            key(&["u"], text!("Undo")),
            key(&["c"], text!("What came before")),
        ],
    },
    Group {
        title: text!("In Compare"),
        keys: &[key(&["n"], text!("Next change"))],
    },
    Group {
        title: text!("In Correlation"),
        keys: &[
            key(
                &["ArrowLeft", "ArrowRight"],
                text!("Crosshair, in Correlation"),
            ),
            key(&["b"], text!("Begin and end of a window, in Correlation")),
        ],
    },
];

impl Shortcut {
    /// Keys as they are drawn: an arrow for its name.
    pub(crate) fn caps(&self) -> Vec<&'static str> {
        let cap = |key: &&'static str| match *key {
            "ArrowUp" => "↑",
            "ArrowDown" => "↓",
            "ArrowLeft" => "←",
            "ArrowRight" => "→",
            other => other,
        };
        self.keys.iter().map(cap).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed() -> Vec<&'static str> {
        let all = GROUPS.iter().flat_map(|group| group.keys);
        all.flat_map(|shortcut| shortcut.keys.iter().copied())
            .collect()
    }

    #[test]
    fn every_key_of_the_script_is_listed() {
        let script = include_str!("../assets/js/keyboard.js");
        let (_, table) = script.split_once("const keys = {").unwrap();
        let (table, _) = table.split_once("\n};").unwrap();
        let names = table.lines().filter_map(|line| {
            let line = line.strip_prefix("  ")?;
            let (name, _) = line.split_once(':')?;
            (!name.starts_with(' ')).then(|| name.trim_matches('"'))
        });
        let known = listed();
        let mut seen = 0;
        for name in names {
            assert!(known.contains(&name), "? does not list {name}");
            seen += 1;
        }
        assert!(seen > 10);
    }

    #[test]
    fn every_way_of_the_navigation_is_listed() {
        let layout = include_str!("../templates/layout.html");
        let known = listed();
        let ways = layout.split("data-key=\"").skip(1);
        for way in ways.filter_map(|rest| rest.split('"').next()) {
            assert!(known.contains(&way), "? does not list {way}");
        }
    }
}
