import { flagValue, hasFlag } from './flags.ts';
import { forever } from './pause.ts';
import type { Process, Program } from './program.ts';
import { fileOf, notFound } from './web-files.ts';

/** The CPU time of one request. */
const REQUEST_CPU_MS = 0.2;

/** Runs a web server. It exits at once if its port is in use. */
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

/**
 * Apache on port 80. SIGTERM and SIGWINCH (the stop signal of its image) end it at once, because it has no requests to
 * finish.
 */
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

/**
 * The web server of busybox: `httpd -f -p 8080 -h /www`. Without `-f` the real one moves to the background; this one
 * exits.
 */
export const busyboxHttpd: Program = async (process) => {
  const { argv } = process;
  const port = Number((flagValue(argv, '-p') ?? '80').split(':').at(-1));
  if (!hasFlag(argv, '-f')) return 0;
  return serveFiles(process, { port, root: flagValue(argv, '-h') ?? '/' });
};
