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
 * Sends the requests of one seed to two new apiservers, one of which tracks the owners of fields from the creation of an object on.
 * Owners say what wrote which field: except for server-side apply they change no answer and no write.
 *
 * An update that sends what the strategy of the kind drops again owns that all the same, and so is written, as upstream. From there on
 * the two would be at different revisions, and the life ends.
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
    // What is said of owners, and to them, is theirs.
    if (isApply(request) || request.body?.includes('managedFields')) continue;
    requests.push(request);
    const one = await plain.send(request);
    const other = await tracking.send(request);
    told?.(one);
    const apart = tracking.server.storage.revision - plain.server.storage.revision;
    const why = differing(one, other, apart === 1 ? ['managedFields', 'resourceVersion'] : ['managedFields']);
    if (why) return { why, requests };
    if (apart === 1) return undefined;
    if (apart !== 0) return { why: `with owners it has written ${apart} revisions more`, requests };
  }
  return undefined;
}

function differing(one: Answer, other: Answer, ignored: readonly string[]): string | undefined {
  // A refusal may quote the whole object.
  if (other.status >= 400 && one.status === other.status && other.text.includes('managedFields')) {
    return undefined;
  }
  const [left, right] = [one, other].map((answer) => saying(answer, ignored));
  if (one.status === other.status && isDeepStrictEqual(left, right)) return undefined;
  return `with owners it is answered otherwise:\n${one.status} ${JSON.stringify(left)}\n${other.status} ${JSON.stringify(right)}`;
}

/** What an answer says, without some fields: an object, or the events of a watch. */
function saying(answer: Answer, ignored: readonly string[]): unknown {
  const { contentType, text } = answer;
  const bare = (told: unknown): unknown =>
    JSON.parse(JSON.stringify(told), (key, value) => (ignored.includes(key) ? undefined : value));
  if (contentType === 'application/yaml') return bare(parse(text));
  const told = readAnswer(answer);
  if (told) return bare(told);
  // The frames of a watch have their lengths before them.
  if (contentType.startsWith(PROTOBUF)) return contentType;
  return text.split('\n').map((line) => (line.startsWith('{') ? bare(JSON.parse(line)) : line));
}
