/** What lit-html's types name of a package that is not installed: the page uses none of it. */
export interface TrustedHTML {
  toString(): string;
}
