import { describe, expect, test } from 'vitest';
import type { Connection } from './connection.ts';
import { liveService } from './live-service.ts';

/** A connection whose service answers with a word and the values that it was called with. */
const connection = (word: string): Connection =>
  ({
    service: new Proxy(
      {},
      {
        get:
          (_, name) =>
          async (...values: unknown[]) => [word, name, ...values],
      },
    ),
    close: () => {},
  }) as unknown as Connection;

describe('A call of the service', () => {
  test('waits until its worker is connected', async () => {
    let connect: (connection: Connection) => void = () => {};
    const pending = new Promise<Connection>((resolve) => {
      connect = resolve;
    });
    const answer = liveService(() => pending).seek(5);
    connect(connection('first'));
    expect(await answer).toEqual(['first', 'seek', 5]);
  });

  test('goes to the present worker', async () => {
    let present = connection('first');
    const service = liveService(async () => present);
    await service.pause();
    present = connection('second');
    expect(await service.pause()).toEqual(['second', 'pause']);
  });

  test('fails if its worker cannot be started', async () => {
    const service = liveService(() => Promise.reject(new Error('no worker')));
    await expect(service.pause()).rejects.toThrow('no worker');
  });
});
