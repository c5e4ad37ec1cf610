import type { Process } from './program.ts';

/** What a web server says when there is no such file. */
export const notFound = '<html><head><title>404 Not Found</title></head><body>404 Not Found</body></html>\n';

/** The file that a web server answers with: `/` is `/index.html`. Undefined when there is none. */
export function fileOf({ files }: Process, root: string, url: string): Promise<string | undefined> {
  const [path = '/'] = url.split('?');
  return files.readFile(`${root}${path.endsWith('/') ? `${path}index.html` : path}`).catch(() => undefined);
}
