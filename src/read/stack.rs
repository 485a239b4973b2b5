//! Call paths that a tool wrote into its message.

/// Takes the call path out of a message: what stands after a line `Stacktrace:`, frame by frame (`[1] function`,
/// then `@ place` on a line of its own). Gives the rest of the message and the frames, the innermost first as
/// recorded, without their numbers. A message without such a path stays as it is.
pub(super) fn split(message: &str) -> (String, Vec<String>) {
    let lines: Vec<&str> = message.lines().collect();
    let Some(head) = lines.iter().position(|line| line.trim() == "Stacktrace:") else {
        return (message.trim_end().to_owned(), Vec::new());
    };
    let mut frames: Vec<String> = Vec::new();
    let mut after: Vec<&str> = Vec::new();
    for line in lines.get(head + 1..).unwrap_or_default() {
        let text = line.trim();
        if let Some(frame) = numbered(text).filter(|_| after.is_empty()) {
            frames.push(frame.to_owned());
        } else if let Some(frame) = frames.last_mut().filter(|_| text.starts_with('@') && after.is_empty()) {
            frame.push(' ');
            frame.push_str(text);
        } else if !text.is_empty() {
            after.push(line);
        }
    }
    if frames.is_empty() {
        return (message.trim_end().to_owned(), frames);
    }
    let mut rest = lines.get(..head).unwrap_or_default().join("\n").trim_end().to_owned();
    for line in after {
        rest.push('\n');
        rest.push_str(line);
    }
    (rest, frames)
}

/// The frame of a line `[12] frame`.
fn numbered(text: &str) -> Option<&str> {
    let (number, frame) = text.strip_prefix('[')?.split_once(']')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| frame.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_path_is_taken_out_frame_by_frame() {
        let message = "Allocation of Vector{Any} in .\\boot.jl:649\n  | return x\n\nStacktrace:\n  [1] Array\n    @ \
                       .\\boot.jl:649 [inlined]\n [10] (::Main.var\"#a##8\")(r::HTTP.Request)\n    @ Main <local-source>\n";
        let (rest, frames) = split(message);
        assert_eq!(rest, "Allocation of Vector{Any} in .\\boot.jl:649\n  | return x");
        assert_eq!(
            frames,
            [
                "Array @ .\\boot.jl:649 [inlined]",
                "(::Main.var\"#a##8\")(r::HTTP.Request) @ Main <local-source>"
            ]
        );
    }

    #[test]
    fn other_messages_stay_as_they_are() {
        for message in ["", "one line", "[1] see there\n  @ home", "Stacktrace:\nnone", "a\nb [2]\n@"] {
            assert_eq!(split(message), (message.to_owned(), Vec::new()));
        }
        let (rest, frames) = split("a\nStacktrace:\n [1] f\n   @ x\n\nand more\n [2] late");
        assert_eq!(rest, "a\nand more\n [2] late");
        assert_eq!(frames, ["f @ x"]);
    }
}
