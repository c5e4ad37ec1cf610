import { flagValue, hasFlag } from './flags.ts';
import { forever } from './pause.ts';
import type { Process, Program } from './program.ts';
import { fileOf, notFound } from './web-files.ts';

/** What it takes to answer a request. */
const REQUEST_CPU_MS = 0.2;

/** A web server that ends when it is asked to, and at once when its port is taken. */
async function serveFiles(
  process: Process,
  { port, root, index }: { readonly port: number; readonly root: string; readonly index?: string },
): Promise<number> {
  try {
    process.listen(port, {
      http: async ({ path }) => {
        process.spendCpu(REQUEST_CPU_MS);
        const body = (await fileOf(process, root, path)) ?? (path === '/' ? index : undefined);
        return { status: body === undefined ? 404 : 200, headers: {}, body: body ?? notFound };
      },
    });
  } catch {
    process.stderr(`${process.argv[0]}: bind: Address already in use\n`);
    return 1;
  }
  return forever();
}

/** Apache at port 80. SIGTERM ends it at once, SIGWINCH (the stop signal of its image) too, as it has no request to wait for. */
export const httpdForeground: Program = (process) => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGWINCH'] as const) {
    process.onSignal(signal, () => process.exit(0));
  }
  process.useMemory(6 * 1024 ** 2);
  process.useCpu(1);
  return serveFiles(process, {
    port: 80,
    root: '/usr/local/apache2/htdocs',
    index: '<html><body><h1>It works!</h1></body></html>\n',
  });
};

/** The web server of busybox: `httpd -f -p 8080 -h /www`. Without `-f` it would go into the background: then it ends. */
export const busyboxHttpd: Program = async (process) => {
  const { argv } = process;
  const port = Number((flagValue(argv, '-p') ?? '80').split(':').at(-1));
  if (!hasFlag(argv, '-f')) return 0;
  return serveFiles(process, { port, root: flagValue(argv, '-h') ?? '/' });
};
