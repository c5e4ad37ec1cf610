import type { NetworkError } from '../../../contracts/node/index.ts';
import type { CurlFailure } from './options.ts';

/** The target of a request, and how long the request took. */
interface Attempt {
  readonly host: string;
  readonly port: number;
  readonly elapsedMs: number;
}

/**
 * Returns curl's error for a failed request.
 *
 * Upstream: curl/curl@curl-8_14_1 lib/connect.c, lib/multi.c multi_handle_timeout, lib/strerror.c
 */
export function failureOf({ code, message }: NetworkError, { host, port, elapsedMs }: Attempt): CurlFailure {
  const connecting = message.startsWith('dial tcp');
  const failed = `Failed to connect to ${host} port ${port} after ${elapsedMs} ms`;
  switch (code) {
    case 'ETIMEDOUT':
      if (message.includes('connect: connection timed out'))
        return { code: 28, message: `${failed}: Could not connect to server` };
      return connecting
        ? { code: 28, message: `Connection timed out after ${elapsedMs} milliseconds` }
        : { code: 28, message: `Operation timed out after ${elapsedMs} milliseconds with 0 bytes received` };
    case 'ECONNRESET':
      return { code: 52, message: 'Empty reply from server' };
    case 'EPROTO':
    case 'UNIMPLEMENTED':
      return { code: 1, message: 'Received HTTP/0.9 when not allowed' };
    default:
      return { code: 7, message: `${failed}: Could not connect to server` };
  }
}
