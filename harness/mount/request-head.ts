import type { IncomingMessage } from 'node:http';

/** Headers that ask for an upgrade. */
const UPGRADE_HEADERS = ['connection', 'upgrade', 'http2-settings'];

/** Words of the header `Connection` that ask for an upgrade. */
const UPGRADE_WORDS = ['upgrade', 'http2-settings'];

/** Returns the head of a request, as bytes, without its request for an upgrade. */
export function requestHead({ method, url, httpVersion, rawHeaders, headers }: IncomingMessage): Buffer {
  const connection = (headers.connection ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '' && !UPGRADE_WORDS.includes(word.toLowerCase()));
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = rawHeaders.slice(i, i + 2);
    if (!UPGRADE_HEADERS.includes(name.toLowerCase())) lines.push(`${name}: ${value}`);
  }
  if (connection.length > 0) lines.push(`Connection: ${connection.join(', ')}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
