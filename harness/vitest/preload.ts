// Modules that every test file of a kata needs, loaded in advance.
import 'fast-check';
import '../index.ts';
import '../testing/index.ts';
