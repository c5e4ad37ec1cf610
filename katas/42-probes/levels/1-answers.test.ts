import { describe, expect, test } from 'vitest';
import { execResult, httpResult } from '#kata/42-probes/probes';

const answer = (status: number, body = 'text') => ({ status, headers: {}, body });

describe('Level 1 · What an answer means', () => {
  test.each([200, 204, 299])('takes an HTTP status of %i for a success, with the body', (status) => {
    expect(httpResult(answer(status)), `HTTP status ${status}: 200 to 299 are a success`).toEqual({
      result: 'success',
      output: 'text',
    });
  });

  test.each([199, 400, 404, 500, 503])(
    'takes an HTTP status of %i for a failure, without the body',
    (status) => {
      expect(
        httpResult(answer(status)),
        `HTTP status ${status}: below 200 and from 400 on are failures`,
      ).toEqual({
        result: 'failure',
        output: `HTTP probe failed with statuscode: ${status}`,
      });
    },
  );

  test.each([300, 302, 304, 399])('warns of an HTTP status of %i', (status) => {
    expect(
      httpResult(answer(status)),
      `HTTP status ${status}: 300 to 399, which was not followed, is a warning`,
    ).toEqual({
      result: 'warning',
      output: 'Probe terminated redirects, Response body: text',
    });
  });

  test('tells no more than 10 KiB of a body', () => {
    expect(
      httpResult(answer(200, 'x'.repeat(20_000))).output,
      'the length of the output: at most 10 KiB of the body',
    ).toHaveLength(10_240);
    expect(
      httpResult(answer(302, 'x'.repeat(20_000))).output,
      'the length of the output: at most 10 KiB of the body, after the 43 characters of the warning',
    ).toHaveLength(10_240 + 43);
  });

  test.each([
    [0, 'success'],
    [1, 'failure'],
    [2, 'failure'],
    [137, 'failure'],
  ])('takes exit code %i for a %s', (exitCode, result) => {
    expect(
      execResult({ exitCode, stdout: 'out ', stderr: 'err' }),
      `exit code ${exitCode}: 0 is a success, any other a failure; the output is stdout, then stderr`,
    ).toEqual({ result, output: 'out err' });
  });

  test('tells no more than 10 KiB of what a command wrote', () => {
    const stdout = 'x'.repeat(10_239);
    expect(
      execResult({ exitCode: 1, stdout, stderr: 'yz' }).output,
      'the output: stdout and stderr together, cut after 10 KiB',
    ).toBe(`${stdout}y`);
  });
});
