import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { resources } from '../../api/resource.ts';
import { seededRandom } from '../../sim/index.ts';
import { isApply, PROTOBUF, readAnswer } from './agreement.ts';
import { chanceOf } from './chance.ts';
import { type FuzzRequest, fuzzRequest, wellMeant } from './request.ts';
import { Memory, type Red } from './run.ts';
import { type Answer, Served } from './served.ts';

/**
 * Sends the requests of one seed to two new apiservers. One of them tracks field owners from the creation of an object.
 * Field owners affect only server-side apply: they change no other answer and no write.
 *
 * An update can send a field that the kind's strategy drops again. Then its manager still owns the field, so the object
 * is written, as in upstream. From there on the revisions would differ, and the run ends.
 */
export async function liveWithOwners(seed: number, count: number): Promise<Red | undefined> {
  const chance = chanceOf(seededRandom(seed));
  const memory = new Memory();
  const next = (index: number): FuzzRequest => {
    const resource = resources[index];
    return resource ? wellMeant(chance, resource) : fuzzRequest(chance, memory);
  };
  return run(count, next, (answer) => memory.note(answer));
}

/** Sends these requests, one after the other, to two new apiservers: see {@link liveWithOwners}. */
export async function replayWithOwners(requests: readonly FuzzRequest[]): Promise<Red | undefined> {
  return run(requests.length, (index) => requests[index] as FuzzRequest);
}

async function run(
  count: number,
  next: (index: number) => FuzzRequest,
  told?: (answer: Answer) => void,
): Promise<Red | undefined> {
  const [plain, tracking] = [await Served.start(), await Served.start({ trackOnCreate: true })];
  const requests: FuzzRequest[] = [];
  for (let index = 0; index < count; index++) {
    const request = next(index);
    // Requests about field owners are expected to differ.
    if (isApply(request) || request.body?.includes('managedFields')) continue;
    requests.push(request);
    const one = await plain.send(request);
    const other = await tracking.send(request);
    told?.(one);
    const apart = tracking.server.storage.revision - plain.server.storage.revision;
    const why = differing(one, other, apart === 1 ? ['managedFields', 'resourceVersion'] : ['managedFields']);
    if (why) return { why, requests };
    if (apart === 1) return undefined;
    if (apart !== 0) return { why: `with owners it wrote ${apart} more revisions`, requests };
  }
  return undefined;
}

function differing(one: Answer, other: Answer, ignored: readonly string[]): string | undefined {
  // A rejection can quote the whole object.
  if (other.status >= 400 && one.status === other.status && other.text.includes('managedFields')) {
    return undefined;
  }
  const [left, right] = [one, other].map((answer) => saying(answer, ignored));
  if (one.status === other.status && isDeepStrictEqual(left, right)) return undefined;
  return `with owners the answer differs:\n${one.status} ${JSON.stringify(left)}\n${other.status} ${JSON.stringify(right)}`;
}

/** Returns the content of an answer without some fields: an object, or the events of a watch. */
function saying(answer: Answer, ignored: readonly string[]): unknown {
  const { contentType, text } = answer;
  const bare = (told: unknown): unknown =>
    JSON.parse(JSON.stringify(told), (key, value) => (ignored.includes(key) ? undefined : value));
  if (contentType === 'application/yaml') return bare(parse(text));
  const told = readAnswer(answer);
  if (told) return bare(told);
  // The frames of a watch start with their lengths.
  if (contentType.startsWith(PROTOBUF)) return contentType;
  return text.split('\n').map((line) => (line.startsWith('{') ? bare(JSON.parse(line)) : line));
}
