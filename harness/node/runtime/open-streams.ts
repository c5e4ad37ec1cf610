import { bytesOfText, texts } from '../../contracts/node/index.ts';
import type { CommandStreams, StreamsWanted } from '../../contracts/node/streaming-service.ts';
import type { Clock, MessageSocket } from '../../sim/index.ts';
import { serveSpdy } from '../spdy/spdy-connection.ts';
import type { SpdyStream } from '../spdy/spdy-stream.ts';

/**
 * How long a client may take to open its streams, in ms. Upstream: kubernetes/cri-streaming@v0.36.3
 * pkg/streaming/remotecommand/constants.go DefaultStreamCreationTimeout
 */
const OPENING_MS_MAX = 30_000;

/**
 * Accepts the streams of a command over SPDY, one for each direction.
 *
 * Upstream: kubernetes/cri-streaming@v0.36.3 pkg/streaming/remotecommand/httpstream.go createHTTPStreamStreams, v4ProtocolHandler
 *
 * Differs: it ignores the size of a terminal.
 *
 * @returns undefined when the client does not open them in time, or disconnects
 */
export async function openStreams(
  socket: MessageSocket,
  wanted: StreamsWanted,
  clock: Clock,
): Promise<CommandStreams | undefined> {
  const opened = new Map<string, SpdyStream>();
  const gone = new AbortController();
  const types = typesOf(wanted);
  const areThere = await new Promise<boolean>((resolve) => {
    const cancel = clock.after(OPENING_MS_MAX, () => resolve(false));
    const settle = (all: boolean): void => {
      cancel();
      resolve(all);
    };
    const handler = {
      accept: () => true,
      opened: (stream: SpdyStream): void => {
        const type = stream.headers.get('streamtype') ?? '';
        opened.set(type, stream);
        if (type !== 'stdin') stream.discard();
        if (types.every((each) => opened.has(each))) settle(true);
      },
    };
    void serveSpdy(socket, handler).then(() => {
      gone.abort();
      settle(false);
    });
  });
  if (!areThere) {
    socket.close();
    return undefined;
  }
  const stdin = wanted.stdin ? opened.get('stdin') : undefined;
  // A long text takes several frames, so the next text waits for the last frame.
  const written = new Map<string, Promise<void>>();
  const writing = (type: string) => (text: string) => {
    const before = written.get(type) ?? Promise.resolve();
    written.set(
      type,
      before.then(() => opened.get(type)?.write(bytesOfText(text))),
    );
  };
  return {
    streams: {
      ...(stdin ? { stdin: texts(stdin.incoming) } : {}),
      stdout: writing('stdout'),
      stderr: writing('stderr'),
      tty: wanted.tty,
      signal: gone.signal,
    },
    async end(status) {
      await Promise.all(written.values());
      for (const type of ['stdout', 'stderr']) opened.get(type)?.end();
      await opened.get('error')?.write(Buffer.from(status));
      opened.get('error')?.end();
      socket.close();
    },
  };
}

/** Returns the streams that a command waits for before it starts. */
function typesOf({ stdin, stdout, stderr, tty }: StreamsWanted): readonly string[] {
  return [
    'error',
    ...(stdin ? ['stdin'] : []),
    ...(stdout ? ['stdout'] : []),
    // A terminal has a single output.
    ...(stderr && !tty ? ['stderr'] : []),
    ...(tty ? ['resize'] : []),
  ];
}
