import {
  type Der,
  encode,
  encodeObjectIdentifier,
  encodeSequence,
  objectIdentifier,
  TAG,
  valuesOf,
} from '../der.ts';

/** The name of a subject or an issuer: a distinguished name. */
export interface Name {
  /** The name as encoded. Names are equal if these bytes are. */
  readonly der: Buffer;
  /** The attributes in order. */
  readonly attributes: readonly Attribute[];
}

export interface Attribute {
  /** The object identifier: `2.5.4.3` */
  readonly type: string;
  readonly value: string;
}

export const COMMON_NAME = '2.5.4.3';
export const ORGANIZATION = '2.5.4.10';

/** The attributes that a signer copies, in the order of Go. */
const COPIED = ['6', '10', '11', '7', '8', '9', '17', '3', '5'].map((number) => `2.5.4.${number}`);

/** Returns the common name; empty if the name has no such part. The last common name counts. */
export const commonNameOf = ({ attributes }: Name): string =>
  attributes.findLast(({ type }) => type === COMMON_NAME)?.value ?? '';

export const valuesOfType = ({ attributes }: Name, type: string): readonly string[] =>
  attributes.filter((attribute) => attribute.type === type).map(({ value }) => value);

/** Parses a name: a sequence of sets of attributes, each with a type and a value. @throws RangeError */
export function parseName(name: Der): Name {
  const attributes = valuesOf(name.content).flatMap(({ content }) =>
    valuesOf(content).map((attribute): Attribute => {
      const [type, value] = valuesOf(attribute.content);
      if (!type || !value) throw new RangeError('x509: invalid RDNSequence: invalid attribute');
      return { type: objectIdentifier(type), value: textOf(value) };
    }),
  );
  return { der: name.whole, attributes };
}

/** The tag of a BMPString: two bytes for each character. */
const BMP_STRING = 0x1e;

const textOf = ({ tag, content }: Der): string =>
  tag === BMP_STRING ? Buffer.from(content).swap16().toString('utf16le') : content.toString('utf8');

/**
 * Encodes the attributes that Go knows, in the order of Go. Attributes of the same type are together.
 *
 * Upstream: Name.ToRDNSequence in Go's standard library, crypto/x509/pkix
 */
export function encodeName(attributes: readonly Attribute[]): Buffer {
  const sets = COPIED.flatMap((type) => {
    const same = attributes.filter((attribute) => attribute.type === type);
    if (same.length === 0) return [];
    const encoded = same.map(({ value }) => encodeSequence(encodeObjectIdentifier(type), encodeText(value)));
    // The values of a set are sorted.
    return [encode(TAG.set, ...encoded.sort(Buffer.compare))];
  });
  return encodeSequence(...sets);
}

const encodeText = (text: string): Buffer =>
  encode(/^[A-Za-z0-9 '()+,\-./:=?]*$/.test(text) ? TAG.printableString : TAG.utf8String, Buffer.from(text));
