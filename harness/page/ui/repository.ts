/**
 * Returns the address of the repository that published the page on GitHub Pages: its owner is the first label of the
 * host, and its name the first folder. Undefined for a page that is served from elsewhere, such as `npm run page`.
 */
export function repositoryOf({
  hostname,
  pathname,
}: Pick<Location, 'hostname' | 'pathname'>): string | undefined {
  const [owner] = /^[^.]+(?=\.github\.io$)/.exec(hostname) ?? [];
  const [, name] = pathname.split('/');
  return owner && name ? `https://github.com/${owner}/${name}` : undefined;
}
