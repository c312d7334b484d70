//! A search in SQL.

use domain::search::{Search, Term};

use super::{Compiled, FAILED, Formula, Predicate, numbers, wholes};

impl Compiled {
    /// A search, or its contrary: denials move down to the predicates.
    pub(super) fn search(&mut self, search: &Search, is_denied: bool) -> Formula {
        match search {
            Search::Not(that) => self.search(that, !is_denied),
            Search::Term(term) => Formula::One(self.term(term, is_denied)),
            Search::All(those) if is_denied => Formula::Any(self.each(those, true)),
            Search::All(those) => Formula::All(self.each(those, false)),
            Search::Any(those) if is_denied => Formula::All(self.each(those, true)),
            Search::Any(those) => Formula::Any(self.each(those, false)),
        }
    }

    fn each(&mut self, those: &[Search], is_denied: bool) -> Vec<Formula> {
        let one = |that| self.search(that, is_denied);
        those.iter().map(one).collect()
    }

    fn term(&mut self, term: &Term, is_denied: bool) -> Predicate {
        let mut of_whole = None;
        let (sql, is_negative) = match term {
            Term::Text(text) => (self.anywhere(text), false),
            Term::Condition(condition) => self.compared(condition),
            Term::Verdicts(verdicts) => self.judged(verdicts),
            Term::Failed(yes) => (FAILED.to_owned(), !yes),
            Term::Measured(measured) => {
                let number = self.number(measured.number);
                of_whole = wholes::holds(measured, &number);
                (numbers::holds(measured, &number), false)
            }
        };
        Predicate {
            sql,
            of_whole,
            is_negative: is_negative != is_denied,
        }
    }
}
