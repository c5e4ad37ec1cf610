// What every test file of a kata loads, loaded before there is one.
import 'fast-check';
import '../index.ts';
import '../testing/index.ts';
