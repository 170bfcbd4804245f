// Looks at checks are switched off where a test is about something else: they would run each check up to three times more.
export const WITHOUT_LOOKS = { BEFORE_LOOK: "off", CHECK_LOOKS: "off" } as const;
