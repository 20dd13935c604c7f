"""The one error of the services: a command that can't be carried out, with its code."""

from protocol.codes import MESSAGES, ErrorCode


class ContestError(Exception):
    """A command that was not carried out: `code`, the `field` at fault if one is, and what is wrong with it."""

    def __init__(self, code: ErrorCode, field: str | None = None, detail: str | None = None) -> None:
        super().__init__(code, field, detail)
        self.code = code
        self.field = field
        self.detail = detail

    @property
    def message(self) -> str:
        """What to do about it, in words."""
        if self.detail is None:
            return MESSAGES[self.code]
        return f"{self.detail.rstrip('.')}. {MESSAGES[self.code]}"
