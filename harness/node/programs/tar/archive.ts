import { bytesOfText, textOfBytes } from '../../../contracts/node/index.ts';

/** A file, directory or link in an archive. */
export interface Member {
  /** The name in the archive. The name of a directory ends with a slash. */
  readonly name: string;
  readonly type: 'file' | 'directory' | 'symlink' | 'link';
  readonly mode: number;
  /** In seconds since 1970. */
  readonly mtime: number;
  /** The target of a link; otherwise empty. */
  readonly target: string;
  /** The content of a file; otherwise empty. */
  readonly bytes: Uint8Array;
}

/** Thrown for an invalid or truncated archive. The message is tar's. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';

  /** Whether the archive is truncated, so that tar cannot continue. */
  get isEnd(): boolean {
    return this.message.startsWith('Unexpected EOF');
  }
}

/** The block size of an archive. All its parts are padded to whole blocks. */
const BLOCK_BYTES = 512;
/** An archive ends with two empty blocks, and is padded to whole records. GNU tar's default blocking factor is 20. */
export const RECORD_BYTES = 20 * BLOCK_BYTES;

/** The offset and the length of each header field, in bytes. */
const FIELDS = {
  name: [0, 100],
  mode: [100, 8],
  uid: [108, 8],
  gid: [116, 8],
  size: [124, 12],
  mtime: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  target: [157, 100],
  magic: [257, 8],
  user: [265, 32],
  group: [297, 32],
  prefix: [345, 155],
} as const;
type FieldName = keyof typeof FIELDS;

const TYPES = { file: '0', link: '1', symlink: '2', directory: '5' } as const;
const [LONG_NAME, LONG_TARGET, EXTENDED, EXTENDED_ALL] = ['L', 'K', 'x', 'g'];
const GNU = 'ustar  ';
const POSIX = 'ustar';
const NO_ARCHIVE = 'This does not look like a tar archive';

/**
 * Encodes one member in GNU's format. A name or a target of more than a hundred bytes is stored in a separate member
 * before it.
 *
 * Upstream: gnu/tar@v1.35 src/create.c start_header, write_long_name
 */
export function blocksOf(member: Member): Uint8Array {
  const { name, target, type, mode, mtime, bytes } = member;
  const long = (text: string, flag: string): Uint8Array[] => {
    const whole = bytesOfText(`${text}\0`);
    if (whole.length <= FIELDS.name[1] + 1) return [];
    return [header({ name: '././@LongLink', type: flag, size: whole.length }), padded(whole)];
  };
  return Buffer.concat([
    ...long(target, LONG_TARGET),
    ...long(name, LONG_NAME),
    header({ name, target, type: TYPES[type], mode, mtime, size: bytes.length }),
    padded(bytes),
  ]);
}

/** Returns the end of an archive whose members take `sizeBytes`. */
export function endOf(sizeBytes: number): Uint8Array {
  const whole = Math.ceil((sizeBytes + 2 * BLOCK_BYTES) / RECORD_BYTES) * RECORD_BYTES;
  return new Uint8Array(whole - sizeBytes);
}

/**
 * Reads the members of an archive in the formats of POSIX (`ustar`, `pax`) and GNU.
 *
 * Upstream: gnu/tar@v1.35 src/list.c read_header; golang/go@go1.26 src/archive/tar/writer.go Writer, with which kubectl writes
 *
 * @throws ArchiveError when the archive is invalid or truncated
 */
export function* membersOf(archive: Uint8Array): Generator<Member, void> {
  let at = 0;
  let said: Partial<Record<'name' | 'target' | 'size', string>> = {};
  const take = (size: number): Uint8Array => {
    const bytes = archive.subarray(at, at + size);
    if (bytes.length < size) {
      throw new ArchiveError(archive.length < BLOCK_BYTES ? NO_ARCHIVE : 'Unexpected EOF in archive');
    }
    at += Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
    return bytes;
  };
  while (at < archive.length) {
    const block = take(BLOCK_BYTES);
    if (block.every((byte) => byte === 0)) return;
    if (number(block, 'checksum') !== checksumOf(block)) {
      throw new ArchiveError(at === BLOCK_BYTES ? NO_ARCHIVE : 'Skipping to next header');
    }
    const flag = text(block, 'type');
    const bytes = take(said.size === undefined ? number(block, 'size') : Number(said.size));
    if (flag === LONG_NAME) said = { ...said, name: untilZero(bytes) };
    else if (flag === LONG_TARGET) said = { ...said, target: untilZero(bytes) };
    else if (flag === EXTENDED) said = { ...said, ...extended(bytes) };
    else if (flag !== EXTENDED_ALL) {
      yield memberIn(block, bytes, said);
      said = {};
    }
  }
  if (at === 0) throw new ArchiveError(NO_ARCHIVE);
}

function memberIn(
  block: Uint8Array,
  bytes: Uint8Array,
  said: { readonly name?: string; readonly target?: string },
): Member {
  const prefix = text(block, 'magic') === POSIX ? text(block, 'prefix') : '';
  const name = said.name ?? (prefix === '' ? text(block, 'name') : `${prefix}/${text(block, 'name')}`);
  const flag = text(block, 'type');
  const [found] = Object.entries(TYPES).find(([, each]) => each === flag) ?? ['file'];
  return {
    name,
    // The oldest archives mark a directory only by the slash at the end of its name.
    type: found === 'file' && name.endsWith('/') ? 'directory' : (found as Member['type']),
    mode: number(block, 'mode') & 0o7777,
    mtime: number(block, 'mtime'),
    target: said.target ?? text(block, 'target'),
    bytes,
  };
}

/**
 * Parses the records of an extended header, which describe the next member: `27 path=a/long/name\n`. Each record starts
 * with its length.
 */
function extended(bytes: Uint8Array): { name?: string; target?: string; size?: string } {
  const said: { name?: string; target?: string; size?: string } = {};
  for (let at = 0; at < bytes.length; ) {
    const length = Number.parseInt(textOfBytes(bytes.subarray(at, at + 20)), 10);
    if (!(length > 0)) throw new ArchiveError('Malformed extended header: missing length');
    const [, key, value = ''] =
      /^\d+ ([^=]*)=([\s\S]*)\n$/.exec(textOfBytes(bytes.subarray(at, at + length))) ?? [];
    if (key === 'path') said.name = value;
    if (key === 'linkpath') said.target = value;
    if (key === 'size') said.size = value;
    at += length;
  }
  return said;
}

interface Header {
  readonly name: string;
  readonly target?: string;
  readonly type: string;
  readonly size: number;
  readonly mode?: number;
  readonly mtime?: number;
}

function header({ name, target = '', type, size, mode = 0o644, mtime = 0 }: Header): Uint8Array {
  const block = new Uint8Array(BLOCK_BYTES);
  const put = (field: FieldName, value: Uint8Array): void => {
    const [at, length] = FIELDS[field];
    block.set(value.subarray(0, length), at);
  };
  const putText = (field: FieldName, value: string): void => put(field, bytesOfText(value));
  const putNumber = (field: FieldName, value: number): void =>
    putText(field, value.toString(8).padStart(FIELDS[field][1] - 1, '0'));
  putText('name', name);
  putText('target', target);
  putText('type', type);
  putText('magic', GNU);
  putText('user', 'root');
  putText('group', 'root');
  putNumber('mode', mode);
  putNumber('uid', 0);
  putNumber('gid', 0);
  putNumber('size', size);
  putNumber('mtime', mtime);
  putText('checksum', `${checksumOf(block).toString(8).padStart(6, '0')}\0 `);
  return block;
}

/** The sum of all bytes of a block, with the checksum field counted as spaces. */
function checksumOf(block: Uint8Array): number {
  const [at, length] = FIELDS.checksum;
  let sum = 0;
  for (const [index, byte] of block.entries()) sum += index >= at && index < at + length ? 0x20 : byte;
  return sum;
}

function text(block: Uint8Array, field: FieldName): string {
  const [at, length] = FIELDS[field];
  return untilZero(block.subarray(at, at + length));
}

function untilZero(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return textOfBytes(end < 0 ? bytes : bytes.subarray(0, end));
}

/** Parses an octal number; 0 if the field is empty. */
function number(block: Uint8Array, field: FieldName): number {
  return Number.parseInt(text(block, field).trim(), 8) || 0;
}

function padded(bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(Math.ceil(bytes.length / BLOCK_BYTES) * BLOCK_BYTES);
  whole.set(bytes);
  return whole;
}
