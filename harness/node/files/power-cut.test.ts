import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../sim/index.ts';
import { createMachineFiles, type MachineFiles } from './index.ts';

/** Returns the possible states of the files after a power failure, for many choices of surviving changes. */
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
  test('is a second name of the same file', async () => {
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

  test('is rejected for an existing name, and for a directory', async () => {
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
  test('is granted to one owner after the other, in order', async () => {
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

  test('is released when its process ends, as is a pending request', async () => {
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

  test('belongs to the file, and not to its name', async () => {
    const files = createMachineFiles();
    await files.forProcess().flock('/lock');
    await files.removeAll('/lock');
    await files.forProcess().flock('/lock');
  });

  test('is released by a power failure', async () => {
    const files = createMachineFiles();
    await files.forProcess().flock('/lock');
    files.powerLoss();
    await files.forProcess().flock('/lock');
  });
});

describe('A process', () => {
  test('that crashes during a write leaves an empty file', async () => {
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

describe('A power failure', () => {
  test('loses nothing by default', async () => {
    const files = createMachineFiles();
    await files.writeFile('/a', 'x');
    files.powerLoss();
    expect(files.peek('/a')).toBe('x');
    expect(() => files.powerLoss({ random: seededRandom(1) })).toThrow('journal: true');
  });

  test('leaves a new file complete, empty or missing', async () => {
    expect(await outcomes((files) => files.writeFile('/a', 'x'), names)).toEqual(['', 'a=', 'a=x']);
  });

  test('preserves the order of name changes', async () => {
    const act = async (files: MachineFiles) => {
      for (const name of ['a', 'b']) await files.writeFile(`/${name}`, '');
      await files.removeAll('/a');
    };
    expect(await outcomes(act, names)).toEqual(['', 'a=', 'a= b=', 'b=']);
  });

  test('preserves a file that was synced before its rename', async () => {
    const act = async (files: MachineFiles) => {
      await files.writeFile('/t', 'x');
      await files.fsync('/t');
      await files.rename('/t', '/a');
    };
    expect(await outcomes(act, names)).toEqual(['a=x', 't=x']);
  });

  test('may leave an empty file if an unsynced file has replaced a file', async () => {
    const act = async (files: MachineFiles) => {
      await files.writeFile('/a', 'old');
      await files.fsync('/a');
      await files.writeFile('/t', 'new');
      await files.rename('/t', '/a');
    };
    expect(await outcomes(act, names)).toEqual(['a=', 'a=new', 'a=old', 'a=old t=', 'a=old t=new']);
  });

  test('leaves the old, the new or no content of a file that was overwritten', async () => {
    const act = async (files: MachineFiles) => {
      await files.writeFile('/a', 'old');
      await files.fsync('/a');
      await files.writeFile('/a', 'new');
    };
    expect(await outcomes(act, names)).toEqual(['a=', 'a=new', 'a=old']);
  });

  test('preserves a synced directory, and the changes before the sync', async () => {
    const act = async (files: MachineFiles) => {
      await files.writeFile('/a', '');
      await files.mkdirAll('/d');
      await files.fsync('/');
      await files.removeAll('/a');
    };
    expect(await outcomes(act, (files) => files.peekNames('/').join(' '))).toEqual(['a d', 'd']);
  });

  test('preserves whole pages of a long file', async () => {
    const sizes = await outcomes(
      (files) => files.writeFile('/a', 'x'.repeat(10_000)),
      (files) => `${files.peek('/a')?.length}`,
    );
    expect(sizes).toEqual(['0', '10000', '4096', '8192', 'undefined']);
  });

  test('keeps the usage counters consistent', () =>
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
