import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../sim/index.ts';
import { createMachineFiles, type MachineFiles } from './index.ts';

/** What the files say after a power cut, for each of many choices of what survives. */
async function outcomes(
  act: (files: MachineFiles) => Promise<void>,
  look: (files: MachineFiles) => string,
): Promise<readonly string[]> {
  const seen = new Set<string>();
  for (let seed = 0; seed < 60; seed++) {
    const files = createMachineFiles({ journal: true });
    await act(files);
    files.powerLoss({ random: seededRandom(seed) });
    seen.add(look(files));
  }
  return [...seen].sort();
}

const names = (files: MachineFiles): string =>
  files
    .peekNames('/')
    .map((name) => `${name}=${files.peek(`/${name}`)}`)
    .join(' ');

describe('A link', () => {
  test('is the same file under a second name', async () => {
    const files = createMachineFiles();
    await files.writeFile('/a', '1');
    await files.link('/a', '/b');
    await files.writeFile('/a', '2');
    await files.removeAll('/a');
    expect(await files.readFile('/b')).toBe('2');
    expect(files.disk.usedInodes).toBe(2);
    await files.removeAll('/b');
    expect([files.disk.usedInodes, files.disk.usedBytes]).toEqual([1, 0]);
  });

  test('is refused where something is already, and of a directory', async () => {
    const files = createMachineFiles();
    await files.writeFile('/a', '1');
    await files.mkdirAll('/d');
    await expect(files.link('/a', '/d')).rejects.toMatchObject({
      code: 'EEXIST',
      message: 'link /a /d: file exists',
    });
    await expect(files.link('/d', '/e')).rejects.toMatchObject({ code: 'EPERM' });
    await expect(files.link('/none', '/e')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('A lock', () => {
  test('is given to one after the other, in the order in which they asked', async () => {
    const files = createMachineFiles();
    const told: string[] = [];
    const [a, b, c] = [files.forProcess(), files.forProcess(), files.forProcess()];
    const unlock = await a.flock('/lock');
    const waiting = [b, c].map((each, i) =>
      each.flock('/lock').then((give) => {
        told.push('bc'[i] ?? '');
        return give();
      }),
    );
    await Promise.resolve();
    expect(told).toEqual([]);
    await unlock();
    await unlock();
    await Promise.all(waiting);
    expect(told).toEqual(['b', 'c']);
  });

  test('is free when the process that has it, or waits for it, ends', async () => {
    const files = createMachineFiles();
    const [a, b, c] = [files.forProcess(), files.forProcess(), files.forProcess()];
    await a.flock('/lock');
    void b.flock('/lock');
    const last = c.flock('/lock');
    await new Promise((resolve) => setImmediate(resolve));
    b.exit();
    a.exit();
    await last;
  });

  test('is on the file, and not on its name', async () => {
    const files = createMachineFiles();
    await files.forProcess().flock('/lock');
    await files.removeAll('/lock');
    await files.forProcess().flock('/lock');
  });

  test('is gone after a power cut', async () => {
    const files = createMachineFiles();
    await files.forProcess().flock('/lock');
    files.powerLoss();
    await files.forProcess().flock('/lock');
  });
});

describe('A process', () => {
  test('that dies in the midst of a write leaves an empty file', async () => {
    const files = createMachineFiles();
    const dying = files.forProcess((call) =>
      call === 'write' ? new Promise<void>(() => {}) : Promise.resolve(),
    );
    void dying.writeFile('/a', 'text', { exclusive: true });
    await new Promise((resolve) => setImmediate(resolve));
    expect(files.peek('/a')).toBe('');
  });

  test('that finds the disk full leaves an empty file', async () => {
    const files = createMachineFiles({ capacityBytes: 3 });
    await expect(files.forProcess().writeFile('/a', 'text')).rejects.toMatchObject({
      code: 'ENOSPC',
      message: 'write /a: no space left on device',
    });
    expect(files.peek('/a')).toBe('');
  });
});

describe('A power cut', () => {
  test('takes nothing if nothing else is said', async () => {
    const files = createMachineFiles();
    await files.writeFile('/a', 'x');
    files.powerLoss();
    expect(files.peek('/a')).toBe('x');
    expect(() => files.powerLoss({ random: seededRandom(1) })).toThrow('journal: true');
  });

  test('leaves of a new file all, its name alone, or nothing', async () => {
    expect(await outcomes((files) => files.writeFile('/a', 'x'), names)).toEqual(['', 'a=', 'a=x']);
  });

  test('leaves changes of names in their order', async () => {
    const act = async (files: MachineFiles) => {
      for (const name of ['a', 'b']) await files.writeFile(`/${name}`, '');
      await files.removeAll('/a');
    };
    expect(await outcomes(act, names)).toEqual(['', 'a=', 'a= b=', 'b=']);
  });

  test('leaves what was synced before it was given its name', async () => {
    const act = async (files: MachineFiles) => {
      await files.writeFile('/t', 'x');
      await files.fsync('/t');
      await files.rename('/t', '/a');
    };
    expect(await outcomes(act, names)).toEqual(['a=x', 't=x']);
  });

  test('may leave an empty file where a file was replaced by one that was not synced', async () => {
    const act = async (files: MachineFiles) => {
      await files.writeFile('/a', 'old');
      await files.fsync('/a');
      await files.writeFile('/t', 'new');
      await files.rename('/t', '/a');
    };
    expect(await outcomes(act, names)).toEqual(['a=', 'a=new', 'a=old', 'a=old t=', 'a=old t=new']);
  });

  test('leaves the old, nothing or the new of a file that was written again', async () => {
    const act = async (files: MachineFiles) => {
      await files.writeFile('/a', 'old');
      await files.fsync('/a');
      await files.writeFile('/a', 'new');
    };
    expect(await outcomes(act, names)).toEqual(['a=', 'a=new', 'a=old']);
  });

  test('leaves a directory as it was synced, and what was done before', async () => {
    const act = async (files: MachineFiles) => {
      await files.writeFile('/a', '');
      await files.mkdirAll('/d');
      await files.fsync('/');
      await files.removeAll('/a');
    };
    expect(await outcomes(act, (files) => files.peekNames('/').join(' '))).toEqual(['a d', 'd']);
  });

  test('leaves whole pages of what is long', async () => {
    const sizes = await outcomes(
      (files) => files.writeFile('/a', 'x'.repeat(10_000)),
      (files) => `${files.peek('/a')?.length}`,
    );
    expect(sizes).toEqual(['0', '10000', '4096', '8192', 'undefined']);
  });

  test('keeps the books: what is used is what is there', () =>
    fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat(99)), fc.nat(), async (draws, seed) => {
        const files = createMachineFiles({ journal: true });
        const draw = (n: number): number => draws.next().value % n;
        for (let step = 0; step < 20; step++) {
          const [a, b] = [`/f${draw(3)}`, `/f${draw(3)}`];
          const acts = [
            () => files.writeFile(a, 'x'.repeat(draw(9))),
            () => files.writeFile(a, 'y', { append: true }),
            () => files.link(a, b),
            () => files.rename(a, b),
            () => files.removeAll(a),
            () => files.fsync(a),
            () => files.fsync('/'),
          ];
          await acts[draw(acts.length)]?.().catch(() => {});
        }
        files.powerLoss({ random: seededRandom(seed) });
        for (const name of files.peekNames('/')) await files.removeAll(`/${name}`);
        expect([files.disk.usedInodes, files.disk.usedBytes]).toEqual([1, 0]);
      }),
    ));
});
