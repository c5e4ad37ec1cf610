import { describe, expect, test } from 'vitest';
import { answer, DIRECTORY, everything, machine, run } from './machine.fixture.ts';

const single = { ipam: { ranges: [[{ subnet: '10.1.2.0/29' }], [{ subnet: '10.1.3.0/30' }]] } };

describe('Level 8 ★ · STATUS', () => {
  test('succeeds while each set has a free address', async () => {
    const files = machine();
    expect(await run(files, 'STATUS'), 'STATUS of an empty store succeeds').toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    await run(files, 'ADD', { containerID: 'a' });
    expect(
      await run(files, 'STATUS'),
      'STATUS succeeds while each range set has a free address',
    ).toMatchObject({ code: 0 });
  });

  test('fails with code 50 while a set has no free address', async () => {
    const files = machine();
    await run(files, 'ADD', { containerID: 'a', config: single });
    expect(
      await answer(files, 'STATUS', { config: single }),
      'a range set without a free address: STATUS must fail with code 50, although another set may have some',
    ).toEqual({
      code: 50,
      msg: 'no IP addresses available in range set: 10.1.3.1-10.1.3.2',
    });
    await run(files, 'DEL', { containerID: 'a', config: single });
    expect(
      await run(files, 'STATUS', { config: single }),
      'an address is free again: STATUS must succeed',
    ).toMatchObject({ code: 0 });
  });

  test('leaves no temporary file', async () => {
    const files = machine();
    await run(files, 'ADD', { containerID: 'a' });
    const before = everything(files);
    expect(await run(files, 'STATUS'), 'STATUS succeeds').toMatchObject({ code: 0 });
    expect(everything(files), 'STATUS must leave no file behind, and change none').toEqual(before);
  });

  test('treats an address as free if its file is empty', async () => {
    const files = machine();
    await files.mkdirAll(DIRECTORY);
    await files.writeFile(`${DIRECTORY}/10.1.3.2`, '');
    expect(
      await run(files, 'STATUS', { config: single }),
      'a file without an owner does not reserve its address, so one is free',
    ).toMatchObject({ code: 0 });
  });

  test('fails with code 50 if the directory cannot be used', async () => {
    const files = machine();
    await files.writeFile('/var', 'no directory');
    expect(
      await answer(files, 'STATUS'),
      'the directory cannot be created: STATUS must fail with code 50',
    ).toEqual({
      code: 50,
      msg: 'mkdir /var/lib/cni/networks/cbr0: not a directory',
    });
  });

  test('fails with code 50 if the configuration is invalid', async () => {
    const config = { ipam: { subnet: '10.1.2.0/31' } };
    expect(
      await answer(machine(), 'STATUS', { config }),
      'the configuration is invalid: STATUS must fail with code 50, not with the code of ADD',
    ).toEqual({
      code: 50,
      msg: 'invalid range set 0: Network 10.1.2.0/31 too small to allocate from',
    });
  });
});
