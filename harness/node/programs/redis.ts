import { flagValue } from './flags.ts';
import { forever } from './pause.ts';
import type { Program } from './program.ts';

const PORT = 6379;

/**
 * A server that accepts connections on port 6379, or on that of `--port`, and saves for 10 ms before it exits. It
 * stores no data.
 */
export const redisServer: Program = async ({
  argv,
  listen,
  onSignal,
  exit,
  stdout,
  useMemory,
  useCpu,
  clock,
}) => {
  const port = Number(flagValue(argv, '--port') ?? PORT);
  useMemory(10 * 1024 ** 2);
  useCpu(2);
  try {
    listen(port, {});
  } catch {
    stdout(
      `# Warning: Could not create server TCP listening socket *:${port}: bind: Address already in use\n`,
    );
    return 1;
  }
  stdout('* Ready to accept connections tcp\n');
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    onSignal(signal, () => {
      stdout('# User requested shutdown...\n');
      clock.after(10, () => exit(0));
    });
  }
  return forever();
};

/** `redis-cli [-h HOST] [-p PORT] ping` opens a connection. */
export const redisCli: Program = async ({ argv, network, stdout }) => {
  const host = flagValue(argv, '-h') ?? '127.0.0.1';
  const port = Number(flagValue(argv, '-p') ?? PORT);
  try {
    await network.connect({ host, port, timeoutMs: 5_000 });
    stdout('PONG\n');
    return 0;
  } catch {
    stdout(`Could not connect to Redis at ${host}:${port}: Connection refused\n`);
    return 1;
  }
};
