import type { ServePorts } from '../../contracts/node/streaming-service.ts';
import type { Clock } from '../../sim/index.ts';
import { serveSpdy } from '../spdy/spdy-connection.ts';
import type { SpdyStream } from '../spdy/spdy-stream.ts';
import type { CarryPort } from './carry-port.ts';

interface PortStreamsOptions {
  readonly clock: Clock;
  readonly carry: CarryPort;
}

/**
 * How long one stream of a pair waits for the other, in ms. Upstream: kubernetes/cri-streaming@v0.36.3
 * pkg/streaming/portforward/constants.go DefaultStreamCreationTimeout
 */
const PAIRING_MS_MAX = 30_000;

/** The two streams of one connection, with the same request id. */
interface Pair {
  /** Carries the data in both directions. */
  data?: SpdyStream;
  /** Carries the error message. */
  error?: SpdyStream;
}

/**
 * Serves connections to ports over SPDY. Each connection is a pair of streams.
 *
 * Upstream: kubernetes/cri-streaming@v0.36.3 pkg/streaming/portforward/httpstream.go httpStreamHandler
 *
 * Differs: an idle connection stays open; upstream closes it after four hours.
 */
export function portStreams({ clock, carry }: PortStreamsOptions): ServePorts['spdy'] {
  const carryPair = async (port: number, { data, error }: Required<Pair>): Promise<void> => {
    const why = await carry(port, data);
    if (why !== undefined) {
      await say(error, why);
      data.reset();
      error.reset();
    }
    data.end();
    error.end();
  };

  return (socket) => {
    const pairs = new Map<string, Pair>();
    const isWhole = (pair: Pair): pair is Required<Pair> => Boolean(pair.data && pair.error);

    const begin = (id: string): Pair => {
      const pair: Pair = {};
      pairs.set(id, pair);
      clock.after(PAIRING_MS_MAX, () => {
        if (isWhole(pair)) return;
        pairs.delete(id);
        pair.data?.discard();
        if (pair.error) void say(pair.error, `(request=${id}) timed out waiting for streams`);
      });
      return pair;
    };

    return serveSpdy(socket, {
      accept: (stream) => portOf(stream) !== undefined && typeOf(stream) !== undefined,
      opened: (stream) => {
        const [id, type] = [requestId(stream), typeOf(stream) ?? 'data'];
        const pair = pairs.get(id) ?? begin(id);
        if (type === 'error') stream.discard();
        if (pair[type]) {
          const why = `error processing stream for request ${id}: ${type} stream already assigned`;
          stream.discard();
          if (pair.error) void say(pair.error, why);
          return;
        }
        pair[type] = stream;
        if (!isWhole(pair)) return;
        pairs.delete(id);
        void carryPair(portOf(pair.data) ?? 0, pair);
      },
    });
  };
}

/** Returns the port in the headers; undefined if it is missing or invalid. */
function portOf({ headers }: SpdyStream): number | undefined {
  const text = headers.get('port') ?? '';
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}

function typeOf({ headers }: SpdyStream): keyof Pair | undefined {
  const type = headers.get('streamtype');
  return type === 'data' || type === 'error' ? type : undefined;
}

/**
 * Returns the id of a pair. Old clients send no request id: then it is the id of their error stream, which they open
 * first.
 */
function requestId(stream: SpdyStream): string {
  const given = stream.headers.get('requestid');
  if (given) return given;
  return String(typeOf(stream) === 'error' ? stream.id : stream.id - 2);
}

function say(stream: SpdyStream, text: string): Promise<void> {
  return stream.write(Buffer.from(text));
}
