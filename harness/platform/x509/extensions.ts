import { type Der, encode, fieldTag, integerOf, objectIdentifier, TAG, valuesOf } from '../der.ts';

/** The extensions of a certificate that a server or a signer reads. An absent extension is undefined. */
export interface Extensions {
  readonly basicConstraints?: { readonly isCa: boolean; readonly pathLengthMax?: number };
  /** The allowed uses of the key. */
  readonly keyUsage?: readonly KeyUsage[];
  /** The purposes of the certificate, as object identifiers. */
  readonly purposes?: readonly string[];
  readonly subjectKeyId?: Buffer;
  readonly authorityKeyId?: Buffer;
  readonly alternativeNames?: AlternativeNames;
  /** Whether there is another extension that a reader must not ignore. */
  readonly hasUnknownCritical?: boolean;
}

/** The further names of a subject. */
export interface AlternativeNames {
  readonly dns: readonly string[];
  readonly email: readonly string[];
  /** 4 or 16 bytes each. */
  readonly ip: readonly Buffer[];
  readonly uri: readonly string[];
}

/** The object identifiers of extensions. RFC 5280, 4.2.1 */
export const EXTENSION = {
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  alternativeNames: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  purposes: '2.5.29.37',
} as const;

/** The object identifiers of purposes. RFC 5280, 4.2.1.12 */
export const PURPOSE = {
  any: '2.5.29.37.0',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
} as const;

/** The uses of a key, in the order of their bits. RFC 5280, 4.2.1.3 */
export const KEY_USAGES = [
  'digitalSignature',
  'contentCommitment',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'certSign',
  'crlSign',
  'encipherOnly',
  'decipherOnly',
] as const;

export type KeyUsage = (typeof KEY_USAGES)[number];

/** The numbers of the kinds of names. RFC 5280, 4.2.1.6 */
export const NAME_TAGS = {
  email: fieldTag(1, 'primitive'),
  dns: fieldTag(2, 'primitive'),
  uri: fieldTag(6, 'primitive'),
  ip: fieldTag(7, 'primitive'),
} as const;

/** Parses a sequence of extensions. @throws RangeError */
export function extensionsOf({ content }: Der): Extensions {
  let all: Extensions = {};
  const seen = new Set<string>();
  for (const extension of valuesOf(content)) {
    const [type, ...rest] = valuesOf(extension.content);
    const value = rest.at(-1);
    if (!type || value?.tag !== TAG.octetString) throw new RangeError('x509: malformed extension');
    const name = objectIdentifier(type);
    if (seen.has(name)) throw new RangeError('x509: certificate contains duplicate extensions');
    seen.add(name);
    const [first] = rest;
    const isCritical = first?.tag === TAG.boolean && first.content[0] !== 0;
    const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
    if (read) all = { ...all, ...read(innerOf(value)) };
    else if (isCritical) all = { ...all, hasUnknownCritical: true };
  }
  return all;
}

function innerOf({ content }: Der): Der {
  const [inner, ...more] = valuesOf(content);
  if (!inner || more.length > 0) throw new RangeError('x509: malformed extension');
  return inner;
}

const readers: Readonly<Record<string, (value: Der) => Extensions>> = {
  [EXTENSION.basicConstraints]({ content }) {
    const [first, second] = valuesOf(content);
    const isCa = first?.tag === TAG.boolean && first.content[0] !== 0;
    const length = first?.tag === TAG.integer ? first : second;
    const pathLengthMax = length && Number(integerOf(length));
    return { basicConstraints: { isCa, ...(pathLengthMax === undefined ? {} : { pathLengthMax }) } };
  },
  // The first byte counts the unused bits.
  [EXTENSION.keyUsage]: ({ content: [, ...bytes] }) => ({
    keyUsage: KEY_USAGES.filter((_, bit) => ((bytes[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0),
  }),
  [EXTENSION.purposes]: ({ content }) => ({ purposes: valuesOf(content).map(objectIdentifier) }),
  [EXTENSION.subjectKeyId]: ({ content }) => ({ subjectKeyId: content }),
  [EXTENSION.authorityKeyId]({ content }) {
    const id = valuesOf(content).find(({ tag }) => tag === fieldTag(0, 'primitive'));
    return id ? { authorityKeyId: id.content } : {};
  },
  [EXTENSION.alternativeNames]({ content }) {
    const names = valuesOf(content);
    const of = (wanted: number): Buffer[] =>
      names.filter(({ tag }) => tag === wanted).map((name) => name.content);
    const textsOf = (wanted: number): string[] => of(wanted).map((bytes) => bytes.toString('latin1'));
    const { dns, email, ip, uri } = NAME_TAGS;
    return { alternativeNames: { dns: textsOf(dns), email: textsOf(email), ip: of(ip), uri: textsOf(uri) } };
  },
};

/** Encodes the kinds of names in the order of Go. */
export function encodeAlternativeNames({ dns, email, ip, uri }: AlternativeNames): readonly Buffer[] {
  const texts = (tag: number, values: readonly string[]): Buffer[] =>
    values.map((value) => encode(tag, Buffer.from(value, 'latin1')));
  return [
    ...texts(NAME_TAGS.dns, dns),
    ...texts(NAME_TAGS.email, email),
    ...ip.map((address) => encode(NAME_TAGS.ip, address)),
    ...texts(NAME_TAGS.uri, uri),
  ];
}
