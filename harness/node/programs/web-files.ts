import type { Process } from './program.ts';

/** The answer of a web server for a missing file. */
export const notFound = '<html><head><title>404 Not Found</title></head><body>404 Not Found</body></html>\n';

/** Reads the file for a URL; `/` is `/index.html`. Undefined if it does not exist. */
export function fileOf({ files }: Process, root: string, url: string): Promise<string | undefined> {
  const [path = '/'] = url.split('?');
  return files.readFile(`${root}${path.endsWith('/') ? `${path}index.html` : path}`).catch(() => undefined);
}
