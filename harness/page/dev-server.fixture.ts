import { createServer } from 'vite';
import { pageConfig } from './vite.ts';

/** The development server of `npm run page`, for the learner's files of a workbook. */
export interface DevServer extends AsyncDisposable {
  /** `http://127.0.0.1:43127/` */
  readonly url: string;
}

/** Starts the server on a free port. @param workbook the folder of the learner's files */
export async function startDevServer(workbook: string): Promise<DevServer> {
  const config = pageConfig({ logLevel: 'silent', workbook });
  const server = await createServer({ ...config, server: { ...config.server, port: 0 } });
  await server.listen();
  const [url = ''] = server.resolvedUrls?.local ?? [];
  return { url, [Symbol.asyncDispose]: () => server.close() };
}
