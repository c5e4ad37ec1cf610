import { describe, expect, test } from 'vitest';
import { kataReport, lawsReport, reportWith } from './report.fixture.ts';
import { Room } from './room.ts';
import { answer, BODY_BYTES_MAX, portOf, serveRoom } from './room-server.ts';

const participant = { id: 'ada-12345', name: 'ada' };
const upload = { participant, report: reportWith([kataReport()]) };
const withKata = (changes: object) => ({
  participant,
  report: { ...upload.report, katas: [{ ...kataReport(), ...changes }] },
});

function hostOf(room: Room) {
  let changes = 0;
  const host = { room, title: () => '1 participant', nowMs: () => 0, onChange: () => void changes++ };
  const post = (body: unknown, contentType = 'application/json') =>
    answer(
      {
        method: 'POST',
        path: '/reports',
        contentType,
        body: typeof body === 'string' ? body : JSON.stringify(body),
      },
      host,
    );
  return { host, post, changes: () => changes };
}

describe('The server of a room', () => {
  test('takes a report, and reports whether a row has changed', () => {
    const room = new Room();
    const { post, changes } = hostOf(room);
    expect(post(upload).status).toBe(204);
    expect(post(upload).status).toBe(204);
    expect(changes()).toBe(1);
    expect(room.rowsAt(0)).toMatchObject([{ name: 'ada', place: 'Level 3' }]);
  });

  test.each([
    ['{', 'The upload is not JSON.'],
    ['[]', 'The upload must be an object.'],
    ['null', 'The upload must be an object.'],
    [{ report: upload.report }, 'participant must be an object.'],
    [
      { ...upload, participant: { id: '../../etc' } },
      'participant.id must have 8 to 64 letters, digits or hyphens.',
    ],
    [
      { ...upload, participant: { id: 'ada-12345', name: 7 } },
      'participant.name must be a text of at most 200 characters.',
    ],
    [
      { ...upload, participant: { id: 'ada-12345', name: 'x'.repeat(201) } },
      'participant.name must be a text',
    ],
    [{ participant }, 'report must be an object.'],
    [
      { participant, report: { ...upload.report, version: 2 } },
      'This room reads reports of version 1, not of version 2. Update the older workbook with git pull.',
    ],
    [{ participant, report: { ...upload.report, at: 'yesterday' } }, 'report.at must be a time in UTC'],
    [
      { participant, report: { ...upload.report, katas: {} } },
      'report.katas must be a list of at most 200 entries.',
    ],
    [
      { participant, report: { ...upload.report, katas: [kataReport(), kataReport()] } },
      'report.katas lists a kata twice.',
    ],
    [withKata({ id: '__proto__' }), 'report.katas[0].id must be the name of a kata, such as 23-replicaset.'],
    [withKata({ id: '23-<b>' }), 'report.katas[0].id must be the name of a kata'],
    [withKata({ state: 'great' }), 'report.katas[0].state must be one of: not begun, begun, failing, done.'],
    [withKata({ place: ['Level 1'] }), 'report.katas[0].place must be a text'],
    [withKata({ changedAt: '1970-01-01T99:99:99Z' }), 'report.katas[0].changedAt must be a time in UTC'],
    [withKata({ laws: 'all' }), 'report.katas[0].laws must be a list'],
    [
      withKata({ laws: [{ ...lawsReport(1, 0), passed: -1 }] }),
      'report.katas[0].laws[0].passed must be a whole number',
    ],
    [
      withKata({ laws: [{ ...lawsReport(1, 0), optional: 'no' }] }),
      'report.katas[0].laws[0].optional must be true or false.',
    ],
  ])('rejects %j with a sentence', (body, why) => {
    const room = new Room();
    const { status, text, contentType } = hostOf(room).post(body);
    expect({ status, contentType }).toEqual({ status: 400, contentType: 'text/plain; charset=utf-8' });
    expect(text).toContain(why);
    expect(text).toMatch(/^.*\.\n$/);
    expect(room.rowsAt(0)).toEqual([]);
  });

  test('rejects other types, methods and paths', () => {
    const { host, post } = hostOf(new Room());
    const request = { method: 'GET', path: '/', contentType: '', body: '' };
    expect(post(upload, 'text/plain')).toMatchObject({ status: 415 });
    expect(answer({ ...request, path: '/reports' }, host)).toMatchObject({ status: 405 });
    expect(answer({ ...request, method: 'POST' }, host)).toMatchObject({ status: 405 });
    expect(answer({ ...request, path: '/../secret' }, host)).toMatchObject({ status: 404 });
  });

  test('serves reports and the page over HTTP, and limits the size of a body', async () => {
    const room = new Room();
    const server = await serveRoom(hostOf(room).host, { host: '127.0.0.1', port: 0 });
    const url = `http://127.0.0.1:${portOf(server)}`;
    const send = (body: string) =>
      fetch(`${url}/reports`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    try {
      const odd = { ...upload, participant: { id: 'ada-12345', name: '<i>ada\u001b[2J' } };
      expect((await send(JSON.stringify(odd))).status).toBe(204);
      const bad = await send('{}');
      expect([bad.status, await bad.text()]).toEqual([400, 'participant must be an object.\n']);
      const large = await send(' '.repeat(BODY_BYTES_MAX + 1));
      expect([large.status, await large.text()]).toEqual([
        413,
        `A report has at most ${BODY_BYTES_MAX} bytes.\n`,
      ]);
      const page = await fetch(`${url}/?from=a-bookmark`);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(await page.text()).toContain('<td>&#60;i&#62;ada[2J</td><td>23-replicaset</td>');
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
