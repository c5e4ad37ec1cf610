import { request } from 'node:https';
import { isIP } from 'node:net';

/** A request to a host of the real network. */
interface OutgoingRequest {
  readonly method: string;
  /** A name or an address. */
  readonly host: string;
  readonly port: number;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The certificates of the trusted authorities, in PEM. @defaultValue those of Node */
  readonly ca?: string;
  /** Time limit, in real ms. */
  readonly timeoutMs: number;
}

/** A whole response. */
interface IncomingResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An error of a Node socket. */
interface SocketError extends Error {
  readonly code?: string;
  readonly address?: string;
  readonly port?: number;
  readonly cert?: { readonly subjectaltname?: string };
}

/** The maximum length of a response, in bytes. A response is kept in memory. */
const RESPONSE_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Sends one HTTPS request over the real network, and waits for the whole response. Checks the certificate of the server.
 *
 * @throws Error with the reason in the words of a Go program
 */
export function requestHttps(outgoing: OutgoingRequest): Promise<IncomingResponse> {
  const { body = '', timeoutMs, host, ...options } = outgoing;
  return new Promise((resolve, reject) => {
    const servername = isIP(host) ? {} : { servername: host };
    const signal = AbortSignal.timeout(timeoutMs);
    const sent = request({ ...options, ...servername, host, signal, agent: false });
    const fail = (error: Error): void => {
      sent.destroy();
      reject(new Error(signal.aborted ? 'context deadline exceeded' : inGoWords(error, host)));
    };
    sent.on('error', fail);
    sent.on('response', async (response) => {
      try {
        const chunks: Buffer[] = [];
        let length = 0;
        for await (const chunk of response) {
          length += chunk.length;
          if (length > RESPONSE_BYTES_MAX) throw new Error('http: response body too large');
          chunks.push(chunk);
        }
        const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(headers),
          body: Buffer.concat(chunks).toString(),
        });
      } catch (error) {
        fail(error as Error);
      }
    });
    sent.end(body);
  });
}

/** The codes of OpenSSL for a certificate of an authority that the client does not know. */
const UNKNOWN_AUTHORITY = [
  'CERT_SIGNATURE_FAILURE',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

/** Words of errno in messages of Go. */
const ERRNO: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  ETIMEDOUT: 'connection timed out',
};

function inGoWords(error: SocketError, host: string): string {
  // Node tries several addresses of a name, and reports all their errors.
  const { code = '', address, port, message, cert } = firstOf(error);
  const invalid = (why: string): string => `tls: failed to verify certificate: x509: ${why}`;
  if (ERRNO[code])
    return `dial tcp ${address?.includes(':') ? `[${address}]` : address}:${port}: connect: ${ERRNO[code]}`;
  if (code === 'ENOTFOUND') return `dial tcp: lookup ${host}: no such host`;
  if (code === 'EAI_AGAIN') return `dial tcp: lookup ${host}: server misbehaving`;
  if (UNKNOWN_AUTHORITY.includes(code)) return invalid('certificate signed by unknown authority');
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return invalid('certificate has expired or is not yet valid');
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const names = (cert?.subjectaltname ?? '').replace(/(^|, )(DNS|IP Address):/g, '$1');
    return invalid(`certificate is valid for ${names}, not ${host}`);
  }
  if (/wrong version number|packet length too long/i.test(message)) {
    return 'http: server gave HTTP response to HTTPS client';
  }
  return code === 'ECONNRESET' ? 'EOF' : message;
}

function firstOf(error: SocketError): SocketError {
  return error instanceof AggregateError ? (error.errors[0] as SocketError) : error;
}
