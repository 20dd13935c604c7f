"""What the rules raise. Each carries a code for the wire and its facts; prose is made from them once, in `str()`.

RulesError
├── MalformedText        a text that is not of the form it should have
├── UnknownVariant       no record has this id
├── UnknownOption        the record has no option of this name
├── ContradictingOptions options that can't hold together
├── BadVariant           a record that the schema refuses, with the field
├── UnknownGenerator     no numbering of this name
├── SeedOutOfRange       the numbering has no such seed
├── IllegalMove          a move that the position refuses, with the refusal
└── RecordRefused        a written attempt that does not verify
"""

# ruff: noqa: N818 - the names say what is wrong; all of them end up as codes on the wire.

from typing import ClassVar


class RulesError(ValueError):
    """The root: `code` is stable and goes on the wire."""

    code: ClassVar[str] = "rules"


class MalformedText(RulesError):
    """`text` is not a `what`."""

    code = "malformed_text"

    def __init__(self, what: str, text: str, why: str = "") -> None:
        self.what, self.text, self.why = what, text, why
        shown = text if len(text) <= 80 else text[:77] + "..."
        super().__init__(f"not a {what}: {shown!r}" + (f" ({why})" if why else ""))


class UnknownVariant(RulesError):
    """No variant has this id."""

    code = "unknown_variant"

    def __init__(self, variant: str) -> None:
        self.variant = variant
        super().__init__(f"there is no variant {variant[:80]!r}")


class UnknownOption(RulesError):
    """The variant has no option of this name."""

    code = "unknown_option"

    def __init__(self, variant: str, option: str, known: tuple[str, ...]) -> None:
        self.variant, self.option, self.known = variant, option, known
        have = ", ".join(known) or "none"
        super().__init__(f"{variant} has no option {option[:80]!r}; it has: {have}")


class ContradictingOptions(RulesError):
    """Options that set the same field to different values, or make no valid record together."""

    code = "contradicting_options"

    def __init__(self, variant: str, options: tuple[str, ...], why: str) -> None:
        self.variant, self.options, self.why = variant, options, why
        super().__init__(f"options of {variant} that can't hold together: {', '.join(options)} ({why})")


class BadVariant(RulesError):
    """A record that the schema refuses; `field` is a path such as `tableau.space`."""

    code = "bad_variant"

    def __init__(self, field: str, why: str) -> None:
        self.field, self.why = field, why
        super().__init__(f"{field}: {why}")


class UnknownGenerator(RulesError):
    """No numbering of this name."""

    code = "unknown_generator"

    def __init__(self, generator: str, known: tuple[str, ...]) -> None:
        self.generator, self.known = generator, known
        super().__init__(f"there is no generator {generator[:80]!r}; there are: {', '.join(known)}")


class SeedOutOfRange(RulesError):
    """The numbering has no such seed."""

    code = "seed_out_of_range"

    def __init__(self, generator: str, seed: str, allowed: str) -> None:
        self.generator, self.seed, self.allowed = generator, seed, allowed
        super().__init__(f"{generator} has no seed {seed[:80]!r}; it takes {allowed}")


class IllegalMove(RulesError):
    """A well-formed move that this position refuses; `refusal` says why."""

    code = "illegal_move"

    def __init__(self, move: str, refusal: str) -> None:
        self.move, self.refusal = move, refusal
        super().__init__(f"{move} is refused here: {refusal}")


class RecordRefused(RulesError):
    """A written attempt that does not verify; `line` counts from 1, 0 for the whole; `detail` is a code or empty."""

    code = "record_refused"

    def __init__(self, why: str, line: int = 0, detail: str = "") -> None:
        self.why, self.line, self.detail = why, line, detail
        told = f"{why} ({detail})" if detail else why
        super().__init__(f"line {line}: {told}" if line else told)
