import { STATUS_CODES as ofNode } from 'node:http';
import { expect, test } from 'vitest';
import { STATUS_CODES } from './status-codes.ts';

test('The reason phrases are those of Node', () => expect(ofNode).toMatchObject(STATUS_CODES));
