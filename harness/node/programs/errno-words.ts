import type { NetworkError } from '../../contracts/node/index.ts';

/** The kernel's messages for errors of connections and datagrams. */
export const errnoWords: Readonly<Record<NetworkError['code'], string>> = {
  ECONNREFUSED: 'Connection refused',
  EHOSTUNREACH: 'No route to host',
  ENETUNREACH: 'Network is unreachable',
  EPERM: 'Operation not permitted',
  ETIMEDOUT: 'Connection timed out',
  ECONNRESET: 'Connection reset by peer',
  EPROTO: 'Protocol error',
  UNIMPLEMENTED: 'Protocol error',
};

/** Returns the kernel's message for a failed file operation: `No such file or directory`. */
export function reasonOf({ message }: Error): string {
  const reason = message.slice(message.lastIndexOf(': ') + 2);
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}
