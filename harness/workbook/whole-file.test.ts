import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mustBeWritable, writeWhole } from './whole-file.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'whole-file-'));
  file = path.join(folder, 'state');
});
afterEach(() => rmSync(folder, { recursive: true }));

const read = (): string => readFileSync(file, 'utf8');

describe('Writing a file whole', () => {
  test('writes text, bytes, and pieces', () => {
    for (const content of ['text', Buffer.from('text'), ['te', 'xt']]) {
      writeWhole(file, content);
      expect(read()).toBe('text');
    }
    expect(readdirSync(folder)).toEqual(['state']);
  });

  test('creates missing folders', () => {
    file = path.join(folder, 'deep', 'down', 'state');
    writeWhole(file, 'text');
    expect(read()).toBe('text');
  });

  test('keeps the earlier content if the new one ends in the middle', () => {
    writeFileSync(file, 'earlier');
    const cut = function* () {
      yield 'half of ';
      throw new Error('the disk is full');
    };
    expect(() => writeWhole(file, cut())).toThrow('the disk is full');
    expect(read()).toBe('earlier');
    expect(readdirSync(folder)).toEqual(['state']);
  });

  test('replaces the file only at the end', () => {
    writeFileSync(file, 'earlier');
    const during: string[] = [];
    const watched = function* () {
      yield 'new';
      during.push(read());
    };
    writeWhole(file, watched());
    expect([...during, read()]).toEqual(['earlier', 'new']);
  });

  test('gives a new file its mode, and leaves the mode of an existing file', () => {
    const mode = (): number => statSync(file).mode & 0o777;
    writeWhole(file, 'secret', { mode: 0o600 });
    expect(mode()).toBe(0o600);
    chmodSync(file, 0o640);
    writeWhole(file, 'secret', { mode: 0o600 });
    expect(mode()).toBe(0o640);
  });

  test('replaces the target of a link', () => {
    const link = path.join(folder, 'link');
    writeFileSync(file, 'earlier');
    symlinkSync(file, link);
    writeWhole(link, 'new');
    expect(read()).toBe('new');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });

  test('writes to a device without replacing it', () => {
    writeWhole('/dev/null', 'text');
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });
});

describe('A file must be writable', () => {
  test('and is not written', () => {
    mustBeWritable(file);
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, 'earlier');
    mustBeWritable(file);
    expect(read()).toBe('earlier');
    expect(readdirSync(folder)).toEqual(['state']);
  });

  test('which a folder is not', () => {
    expect(() => mustBeWritable(folder)).toThrow('EISDIR');
  });

  test('nor is a file below a file', () => {
    writeFileSync(file, 'a file');
    expect(() => mustBeWritable(path.join(file, 'state'))).toThrow(/ENOTDIR|EEXIST/);
  });
});
