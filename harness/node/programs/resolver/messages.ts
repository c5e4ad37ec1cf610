import type { DnsMessage, DnsQuestion } from '../../../contracts/index.ts';

/** The port of name servers. */
export const DNS_PORT = 53;

/** Encodes a question or an answer as a datagram. Differs: it uses JSON instead of the wire format of RFC 1035. */
export function encodeDns(message: DnsQuestion | DnsMessage): string {
  return JSON.stringify(message);
}

/** Decodes an answer. @throws SyntaxError when the payload is not JSON */
export function decodeAnswer(payload: string): DnsMessage {
  return JSON.parse(payload) as DnsMessage;
}

/** Decodes a question; undefined if the payload is not a question. */
export function decodeQuestion(payload: string): DnsQuestion | undefined {
  try {
    const { name, type } = JSON.parse(payload) as Partial<DnsQuestion>;
    return name !== undefined && type !== undefined ? { name, type } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the name with a dot at its end, which stands for the root. */
export function fullyQualified(name: string): string {
  return name.endsWith('.') ? name : `${name}.`;
}

/** Returns the addresses in an answer. */
export function addressesIn({ answer }: DnsMessage): readonly string[] {
  return answer.flatMap((record) => ('address' in record ? [record.address] : []));
}
