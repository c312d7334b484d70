//! Writes every sample page with its assets to a folder, to look at them in a browser without a
//! server: `cargo run -p web --example gallery -- /tmp/gallery`.
#![expect(clippy::print_stdout, reason = "it says what it wrote")]

use std::path::Path;

fn main() -> std::io::Result<()> {
    let folder = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "gallery".to_owned());
    let folder = Path::new(&folder);
    for (path, bytes) in web::samples::assets() {
        let file = folder.join("assets").join(path);
        std::fs::create_dir_all(file.parent().unwrap_or(folder))?;
        std::fs::write(file, bytes)?;
    }
    let root = web::samples::asset_root();
    for (lang, theme) in [("en", "light"), ("en", "dark"), ("zh", "light")] {
        for sample in web::samples::all(lang, theme) {
            let html = sample
                .html
                .map_err(std::io::Error::other)?
                .replace(&root, "assets/");
            let name = format!("{}.{lang}.{theme}.html", sample.name);
            println!("{:>9} bytes  {name}", html.len());
            std::fs::write(folder.join(name), html)?;
        }
    }
    Ok(())
}
