import { describe, expect, test } from 'vitest';
import { execResult, httpResult } from '#kata/42-probes/probes';

const answer = (status: number, body = 'text') => ({ status, headers: {}, body });

describe('Level 1 · What an answer means', () => {
  test.each([200, 204, 299])('HTTP status %i is a success, with the body as output', (status) => {
    expect(
      httpResult(answer(status)),
      `the result of HTTP status ${status} (200 to 299 is a success)`,
    ).toEqual({
      result: 'success',
      output: 'text',
    });
  });

  test.each([199, 400, 404, 500, 503])('HTTP status %i is a failure, without the body', (status) => {
    expect(
      httpResult(answer(status)),
      `the result of HTTP status ${status} (below 200 and from 400 on is a failure)`,
    ).toEqual({
      result: 'failure',
      output: `HTTP probe failed with statuscode: ${status}`,
    });
  });

  test.each([300, 302, 304, 399])('HTTP status %i is a warning', (status) => {
    expect(
      httpResult(answer(status)),
      `the result of HTTP status ${status} (300 to 399 is a warning if the redirect was not followed)`,
    ).toEqual({
      result: 'warning',
      output: 'Probe terminated redirects, Response body: text',
    });
  });

  test('cuts a body after 10 KiB', () => {
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
  ])('exit code %i is a %s', (exitCode, result) => {
    expect(
      execResult({ exitCode, stdout: 'out ', stderr: 'err' }),
      `the result of exit code ${exitCode} (0 is a success, any other a failure; the output is stdout, then stderr)`,
    ).toEqual({ result, output: 'out err' });
  });

  test('cuts the output of a command after 10 KiB', () => {
    const stdout = 'x'.repeat(10_239);
    expect(
      execResult({ exitCode: 1, stdout, stderr: 'yz' }).output,
      'the output: stdout and stderr together, cut after 10 KiB',
    ).toBe(`${stdout}y`);
  });
});
