import { NetworkError, type SocketAddress } from '../../contracts/node/index.ts';
import type { Clock } from '../../sim/index.ts';
import { addressOf, hostPort, said } from './go-words.ts';
import { openConnection } from './stack/connection.ts';
import type { NetworkNamespace } from './stack/namespace.ts';
import { endpoint } from './stack/packet.ts';

/** The sender of a datagram. */
interface Sender {
  readonly clock: Clock;
  readonly namespace: NetworkNamespace;
}

/**
 * Sends a UDP datagram from an ephemeral port, and waits for the answer.
 *
 * @throws NetworkError `ETIMEDOUT` when no answer arrives in time, for whatever reason; `ECONNREFUSED`, `EHOSTUNREACH`
 * or `ENETUNREACH` when the network reports to the sender that it cannot deliver the datagram
 */
export async function sendDatagram(
  payload: string,
  { host, port, timeoutMs }: SocketAddress,
  { clock, namespace }: Sender,
): Promise<string> {
  const to = hostPort(host, port);
  const ip = addressOf(host);
  if (!ip) throw new NetworkError('ENETUNREACH', `dial udp ${to}: connect: ${said.ENETUNREACH}`);
  const { connection, fate, there } = openConnection(namespace, { ip, port, protocol: 'udp' });
  const [first] = there.hops;
  if (!first && fate.kind === 'rejected') {
    throw new NetworkError(fate.error, `dial udp ${to}: connect: ${said[fate.error]}`);
  }
  const read = `read udp ${first ? endpoint(first.packet.src, first.packet.sport) : ''}->${to}`;
  if (fate.kind === 'rejected' && fate.afterMs < timeoutMs) {
    if (fate.afterMs > 0) await clock.sleep(fate.afterMs);
    throw new NetworkError(fate.error, `${read}: read: ${said[fate.error]}`);
  }
  const { receive } = connection?.socket.server ?? {};
  const from = connection && { from: connection.seenFrom.ip.text, port: connection.seenFrom.port };
  const answered = new Promise<string>((resolve) => {
    if (!receive || !from) return;
    void (async () => receive({ payload, ...from }))().then(
      (answer) => {
        if (answer !== undefined && connection.answer().fate.kind === 'delivered') resolve(answer);
      },
      () => {},
    );
  });
  try {
    return await within(
      timeoutMs,
      clock,
      answered,
      () => new NetworkError('ETIMEDOUT', `${read}: i/o timeout`),
    );
  } finally {
    connection?.close();
  }
}

/** Returns the promise, or rejects with the failure if the promise takes longer. */
function within<T>(ms: number, clock: Clock, promise: Promise<T>, failure: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => reject(failure()));
    void promise.then((value) => {
      cancel();
      resolve(value);
    });
  });
}
