import type { DnsMessage, DnsQuestion } from '../../../contracts/index.ts';

/** The port of name servers. */
export const DNS_PORT = 53;

/** A question or an answer as a datagram carries it. Differs: it is JSON, and not the wire format of RFC 1035. */
export function encodeDns(message: DnsQuestion | DnsMessage): string {
  return JSON.stringify(message);
}

/** Reads an answer. @throws SyntaxError for what is none */
export function decodeAnswer(payload: string): DnsMessage {
  return JSON.parse(payload) as DnsMessage;
}

/** Reads a question; undefined for what is none. */
export function decodeQuestion(payload: string): DnsQuestion | undefined {
  try {
    const { name, type } = JSON.parse(payload) as Partial<DnsQuestion>;
    return name !== undefined && type !== undefined ? { name, type } : undefined;
  } catch {
    return undefined;
  }
}

/** A name with the dot of the root at its end. */
export function fullyQualified(name: string): string {
  return name.endsWith('.') ? name : `${name}.`;
}

/** The addresses in an answer. */
export function addressesIn({ answer }: DnsMessage): readonly string[] {
  return answer.flatMap((record) => ('address' in record ? [record.address] : []));
}
