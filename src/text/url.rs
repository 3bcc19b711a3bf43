//! The part of an address that says whose page it is.

/// The host of an address, without user, port and `www.`; `None` when there is none.
pub fn host(url: &str) -> Option<&str> {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#', '\\']).next()?;
    let host = authority.rsplit('@').next()?;
    // The colons of an IPv6 address stand in brackets.
    let host = match host.split_once(']') {
        Some((v6, _)) => v6.trim_start_matches('['),
        None => host.split(':').next()?,
    };
    let www = host.get(..4).is_some_and(|p| p.eq_ignore_ascii_case("www."));
    let host = if www { host.get(4..)? } else { host };
    (!host.is_empty()).then_some(host)
}

/// The graphemes of a text, each with the byte it begins at.
pub fn graphemes(text: &str) -> impl Iterator<Item = (usize, &str)> {
    unicode_segmentation::UnicodeSegmentation::grapheme_indices(text, true)
}

#[cfg(test)]
mod tests {
    use super::host;

    #[test]
    fn the_host_alone() {
        for (url, expected) in [
            ("https://www.example.org/a?b#c", Some("example.org")),
            ("http://user:pw@Example.org:8080/x", Some("Example.org")),
            ("example.org/path", Some("example.org")),
            ("https://[::1]:80/", Some("::1")),
            ("", None),
            ("doc-123", Some("doc-123")),
        ] {
            assert_eq!(host(url), expected, "{url}");
        }
    }
}
