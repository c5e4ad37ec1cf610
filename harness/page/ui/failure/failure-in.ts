/** Returns the kata whose failure the page shows, from the page's address: `23` in `#failure=23`. */
export function failureIn(hash: string): string | undefined {
  return /^#failure=(\d\d)\b/.exec(hash)?.[1];
}
