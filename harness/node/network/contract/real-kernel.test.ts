import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type Outcome, onTheFake, onTheReal, reachOnTheFake, reachOnTheReal, whyNotReal } from './kernels.ts';
import { reaches } from './reaches.ts';
import { linkScripts, ruleScripts, type Script, textScripts } from './scripts.ts';

/** Without the programs, or without the right to make namespaces, there is nothing to compare with: the title says so. */
function beside(what: string, scripts: readonly Script[], ...programs: readonly string[]): void {
  const why = whyNotReal(...programs);
  describe.concurrent(`${what}, beside that of a real Linux${why ? ` (skipped: ${why})` : ''}`, () => {
    test.skipIf(why).each(scripts)('$what', async ({ commands }) => {
      const ours = (await onTheFake(commands)).map(plain);
      const theirs = async (how?: Parameters<typeof onTheReal>[1]) =>
        (await onTheReal(commands, how)).map((outcome, i) => reduced(plain(outcome), ours[i] as Plain));
      // Most scripts ask nothing that Linux tells late, and need not wait for it.
      if (isDeepStrictEqual(ours, await theirs())) return;
      expect(ours).toEqual(await theirs({ patient: true }));
    });
  });
}

beside('ip', linkScripts, 'ip', 'bridge');
beside('ip without -j', textScripts, 'ip');
beside('iptables', ruleScripts, 'ip', 'iptables');

const why = whyNotReal('ip', 'iptables', 'nsenter', 'sysctl', 'perl');

describe.concurrent(`The way of a packet, beside that through a real Linux${why ? ` (skipped: ${why})` : ''}`, () => {
  test.skipIf(why).each(reaches)('$what', async (reach) => {
    expect(await reachOnTheFake(reach)).toEqual(await reachOnTheReal(reach));
  });
});

/**
 * What differs from run to run in what is printed as text, and what only a real one prints: addresses of IPv6 that it gives by itself,
 * in which namespace the other end of a pair is.
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

/** What is printed as JSON is read; what differs from run to run is left out. */
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

/** iproute2 prints `{}` for what it filters out. */
function hasContent(entry: unknown): boolean {
  return typeof entry !== 'object' || Object.keys(entry as object).length > 0;
}

/** Of what the real one prints, the fields that are printed here; random addresses are as good as any. */
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

/** The kernel gives addresses of IPv6 to what is up, by itself. */
function isAsked(entry: unknown): boolean {
  return (entry as { local?: string } | undefined)?.local?.startsWith('fe80') !== true;
}
