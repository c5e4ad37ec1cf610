import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type Outcome, onTheFake, onTheReal, reachOnTheFake, reachOnTheReal, whyNotReal } from './kernels.ts';
import { reaches } from './reaches.ts';
import { linkScripts, ruleScripts, type Script, textScripts } from './scripts.ts';

/**
 * Runs scripts here and on a real kernel, and compares the results. The title gives the reason if programs or
 * permissions are missing.
 */
function beside(what: string, scripts: readonly Script[], ...programs: readonly string[]): void {
  const why = whyNotReal(...programs);
  describe.concurrent(`${what}, compared with a real Linux${why ? ` (skipped: ${why})` : ''}`, () => {
    test.skipIf(why).each(scripts)('$what', async ({ commands }) => {
      const ours = (await onTheFake(commands)).map(plain);
      const theirs = async (how?: Parameters<typeof onTheReal>[1]) =>
        (await onTheReal(commands, how)).map((outcome, i) => reduced(plain(outcome), ours[i] as Plain));
      // Most scripts show only facts that Linux reports at once, and need not wait.
      if (isDeepStrictEqual(ours, await theirs())) return;
      expect(ours).toEqual(await theirs({ patient: true }));
    });
  });
}

beside('ip', linkScripts, 'ip', 'bridge');
beside('ip without -j', textScripts, 'ip');
beside('iptables', ruleScripts, 'ip', 'iptables');

const why = whyNotReal('ip', 'iptables', 'nsenter', 'sysctl', 'perl');

describe.concurrent(`The path of a packet, compared with a real Linux${why ? ` (skipped: ${why})` : ''}`, () => {
  test.skipIf(why).each(reaches)('$what', async (reach) => {
    expect(await reachOnTheFake(reach)).toEqual(await reachOnTheReal(reach));
  });
});

/**
 * The parts of the text output that differ from run to run, or that only a real kernel prints: link-local IPv6
 * addresses, and the namespace of the other end of a pair.
 */
const varying = {
  MAC: /(?!00:00|ff:ff)[0-9a-f]{2}(:[0-9a-f]{2}){5}/g,
  nothing: / link-netns(?:id)? \w+|^ +inet6 fe80.*\n.*\n?/gm,
};

interface Plain {
  readonly command: string;
  readonly exitCode: number;
  readonly said: unknown;
}

/** Parses JSON output, and removes from text output the parts that differ from run to run. */
function plain({ command, exitCode, stdout, stderr }: Outcome): Plain {
  const isJson = /^[[{]/.test(stdout);
  const text = Object.entries(varying)
    .reduce(
      (read, [name, pattern]) => read.replace(pattern, name === 'nothing' ? '' : name),
      (stdout + stderr).replace(/^#.*\n/gm, ''),
    )
    .trim();
  const said = isJson ? JSON.parse(stdout) : text;
  return { command, exitCode, said: isJson ? (said as unknown[]).filter(hasContent) : said };
}

/** iproute2 prints `{}` for filtered entries. */
function hasContent(entry: unknown): boolean {
  return typeof entry !== 'object' || Object.keys(entry as object).length > 0;
}

/** Keeps only the fields of the real output that the simulated kernel prints, and replaces random addresses. */
function reduced({ said, ...rest }: Plain, ours: Plain): Plain {
  return { ...rest, said: like(said, ours.said) };
}

const RANDOM = new Set(['address']);

function like(theirs: unknown, ours: unknown): unknown {
  if (Array.isArray(theirs) && Array.isArray(ours)) {
    return theirs.filter(isAsked).map((each, i) => like(each, ours[i]));
  }
  if (typeof theirs !== 'object' || typeof ours !== 'object' || !theirs || !ours) return theirs;
  return Object.fromEntries(
    Object.keys(ours).map((key) => [
      key,
      RANDOM.has(key)
        ? (ours as Record<string, unknown>)[key]
        : like((theirs as Record<string, unknown>)[key], (ours as Record<string, unknown>)[key]),
    ]),
  );
}

/** Whether an entry is not a link-local IPv6 address. The kernel adds one to each interface that is up. */
function isAsked(entry: unknown): boolean {
  return (entry as { local?: string } | undefined)?.local?.startsWith('fe80') !== true;
}
