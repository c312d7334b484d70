//! Whether an engine that was ready still answers: one that hangs does not end by itself.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// When an engine counts as hanging. Being busy is no reason: what is asked costs next to nothing and
/// waits behind no query, and it has a minute by default.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Between an answer, or the lack of one, and the next question.
    pub every: Duration,
    /// How long it has to answer.
    pub within: Duration,
    /// So many questions in a row without an answer.
    pub misses: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            every: Duration::from_secs(5),
            within: Duration::from_secs(5),
            misses: 6,
        }
    }
}

/// Asks an engine whether it answers anything at all within some time. May block, even for longer: a
/// full queue of connections cannot be waited for with a limit.
pub(crate) type Probe = Arc<dyn Fn(Duration) -> bool + Send + Sync>;

/// Asks in the background as long as it lives.
pub(crate) struct Pulse {
    asked: Arc<Asked>,
    limits: Limits,
    _stop: Sender<()>,
}

#[derive(Default)]
struct Asked {
    /// Questions in a row that had no answer.
    missed: AtomicU32,
    /// When the question was put that is open.
    open_since: Mutex<Option<Instant>>,
}

impl Asked {
    fn set_open(&self, since: Option<Instant>) {
        *self
            .open_since
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = since;
    }
}

impl Pulse {
    /// Begins to ask, in a thread of its own: a question may block, and the death of the engine is to be
    /// seen meanwhile.
    pub(crate) fn start(name: &str, probe: Probe, limits: Limits) -> std::io::Result<Self> {
        let (stop, stopped) = channel::<()>();
        let asked = Arc::<Asked>::default();
        let asking = Arc::clone(&asked);
        let ask = move || {
            while stopped.recv_timeout(limits.every) == Err(RecvTimeoutError::Timeout) {
                asking.set_open(Some(Instant::now()));
                let has_answered = probe(limits.within);
                asking.set_open(None);
                if has_answered {
                    asking.missed.store(0, Ordering::Relaxed);
                } else {
                    asking.missed.fetch_add(1, Ordering::Relaxed);
                }
            }
        };
        std::thread::Builder::new()
            .name(format!("{name}-pulse"))
            .spawn(ask)?;
        Ok(Pulse {
            asked,
            limits,
            _stop: stop,
        })
    }

    /// Whether it has not answered for too long.
    pub(crate) fn is_lost(&self) -> bool {
        let Limits {
            every,
            within,
            misses,
        } = self.limits;
        let missed = self.asked.missed.load(Ordering::Relaxed);
        let left = misses.saturating_sub(missed);
        let open = *self
            .asked
            .open_since
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        // A question that is blocked stands for as many as would have been put in that time.
        let is_blocked = open.is_some_and(|since| since.elapsed() > (every + within) * left);
        left == 0 || is_blocked
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

    use super::*;

    /// A pulse whose every question waits for an answer of the test.
    fn pulse(within: Duration) -> (Pulse, SyncSender<bool>) {
        let (answer, answers) = sync_channel::<bool>(0);
        let answers: Mutex<Receiver<bool>> = Mutex::new(answers);
        let probe = move |_| {
            let answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
            answers.recv().unwrap_or(true)
        };
        let limits = Limits {
            every: Duration::ZERO,
            within,
            misses: 3,
        };
        (
            Pulse::start("test", Arc::new(probe), limits).unwrap(),
            answer,
        )
    }

    fn counted(pulse: &Pulse, missed: u32) {
        while pulse.asked.missed.load(Ordering::Relaxed) != missed {
            std::thread::yield_now();
        }
    }

    #[test]
    fn only_misses_in_a_row_count() {
        let (pulse, answer) = pulse(Duration::from_secs(3600));
        for (answers, missed) in [([false, false], 2), ([true, false], 1)] {
            for yes in answers {
                answer.send(yes).unwrap();
            }
            counted(&pulse, missed);
            assert!(!pulse.is_lost());
        }
        for _ in 0..2 {
            answer.send(false).unwrap();
        }
        counted(&pulse, 3);
        assert!(pulse.is_lost());
    }

    #[test]
    fn a_question_that_blocks_is_a_miss_too() {
        let (pulse, _never) = pulse(Duration::from_millis(1));
        while !pulse.is_lost() {
            std::thread::yield_now();
        }
        counted(&pulse, 0);
    }

    #[test]
    fn by_default_a_busy_engine_has_a_minute() {
        let limits = Limits::default();
        let silent = (limits.every + limits.within) * limits.misses;
        assert!(silent >= Duration::from_secs(60), "{silent:?}");
    }
}
