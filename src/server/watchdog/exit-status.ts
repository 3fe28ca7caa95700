/** The exit status of a server whose main thread was stuck: an internal software error, by sysexits.h. */
export const EXIT_STUCK = 70;
