import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { root } from '../workbook/sources.ts';
import { PLATFORMS, type RunProgram, writeOfflineFolder } from './offline-folder.ts';
import { Screen } from './screen.fixture.ts';

let parent = '';
beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'katas-'));
});
afterEach(() => rmSync(parent, { recursive: true }));

const prepare = (run: RunProgram) =>
  writeOfflineFolder({ root, folder: path.join(parent, 'usb'), terminal: new Screen(), run });

describe('The folder for machines without a network', () => {
  test('gets the history as a bundle, and the packages of every platform', () => {
    const typed: string[] = [];
    prepare((bin, words) => {
      typed.push(`${bin} ${words.join(' ')}`.replaceAll(parent, ''));
      return undefined;
    });
    expect(typed[0]).toMatch(/^git bundle create --quiet \/usb\/workbook\.bundle HEAD\b/);
    expect(typed.slice(1)).toEqual(
      PLATFORMS.map(({ os, cpu }) =>
        expect.stringMatching(new RegExp(`^npm ci .*--cache /usb/npm-cache --os=${os} --cpu=${cpu} `)),
      ),
    );
    expect(readFileSync(path.join(parent, 'usb/INSTALL.txt'), 'utf8')).toContain('npm ci --offline --cache');
  });

  test('is removed if a program fails, and the failure is reported', () => {
    const run: RunProgram = (bin) => (bin === 'npm' ? 'npm error code ENOTFOUND' : undefined);
    expect(() => prepare(run)).toThrow('npm ci failed: npm error code ENOTFOUND. Does npm ci work here?');
    expect(existsSync(path.join(parent, 'usb'))).toBe(false);
  });

  test('must be empty at first: nothing in it is lost', () => {
    const folder = parent;
    writeFileSync(path.join(folder, 'mine.txt'), 'mine');
    const terminal = new Screen();
    expect(() => writeOfflineFolder({ root, folder, terminal, run: () => undefined })).toThrow(
      'it is not empty',
    );
    expect(existsSync(path.join(folder, 'mine.txt'))).toBe(true);
  });
});
