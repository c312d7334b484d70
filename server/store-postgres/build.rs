//! A new migration file must reach the binary, though no source file changes.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations/postgres");
}
