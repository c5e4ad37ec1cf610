import { describe, expect, test } from 'vitest';
import { writeAfterAnswer } from './tls-wire.fixture.ts';

const MEGABYTE = 1_000_000;

describe('A TLS connection', () => {
  test.each(
    [2_000, 16_384, 65_536, MEGABYTE, 20 * MEGABYTE].flatMap((answer) =>
      [1, 2_000, MEGABYTE, 3 * MEGABYTE, 20 * MEGABYTE].map((write) => ({ answer, write })),
    ),
  )('carries a write of $write bytes after an answer of $answer', async (exchange) => {
    expect(await writeAfterAnswer(exchange)).toBe(`read ${exchange.write}`);
  });
});
